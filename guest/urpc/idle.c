// SPDX-License-Identifier: MIT

// What a processor does that has no thread to run: it receives messages, and goes to a space that
// needs it more.

#include "idle.h"

struct urpc_idle urpc_idle;
bool urpc_loaded = true;

// A space without a processor cannot ask for one: those who have sent it something look after it.
static bool has_none(const struct space_info* info) {
    return info->processors == 0 && info->state != SPACE_ENDED;
}

// The server has not received the last call, or the client not the last answer.
static bool needed_by_server(const struct urpc_channel* channel) {
    return channel->mapped && urpc_unread(&channel->calls);
}
static bool needed_by_client(const struct urpc_service* service) {
    return service->mapped && urpc_unread(&service->answers);
}

// A processor that was donated goes back when all calls of its giver are answered, or when the
// giver needs it.
static bool goes_back(int giver, const struct space_info* info) {
    const struct urpc_service* service = &urpc_services[giver];
    if (info->state == SPACE_ENDED) return false;
    return service->calls.count == service->answers.count ||
           (has_none(info) && needed_by_client(service));
}

// Spaces that are preempted on this processor, and underpowered ones, come before those whose main()
// waits for its first processor.
static int needy(int giver) {
    const struct space_info* info = space_given.info;
    if (giver != NO_SPACE && goes_back(giver, &info[giver])) return giver;
    const unsigned preempted = processor_info()->preempted;
    if (preempted != 0) return __builtin_ctz(preempted);
    int new = NO_SPACE;
    for (int i = 0; i < (int)space_given.spaces; i++) {
        if (!has_none(&info[i])) continue;
        if (needed_by_server(&urpc_channels[i]) || needed_by_client(&urpc_services[i])) return i;
        if (info[i].state == SPACE_NEW) new = i;
    }
    return new;
}

static void fail_ended(void) {
    for (unsigned i = 0; i < space_given.spaces; i++) {
        struct urpc_channel* channel = &urpc_channels[i];
        if (channel->mapped && channel->info->state == SPACE_ENDED) urpc_fail(channel);
    }
}

IDLE_FUNCTION int urpc_look_around(void) {
    if (urpc_idle.asked != space_given.self->asked) urpc_map_channels();
    fail_ended();
    return needy(processor_given_by());
}
