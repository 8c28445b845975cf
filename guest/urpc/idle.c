// SPDX-License-Identifier: MIT

// What a processor does that has no thread to run: it receives messages, and goes to a space that
// needs it more.

#include "idle.h"

struct urpc_idle urpc_idle;
bool urpc_loaded = true;

// The server has not received the last call, or the client not the last answer.
static bool needed_by_server(const struct urpc_channel* channel) {
    return channel->mapped && urpc_unread(&channel->calls);
}
static bool needed_by_client(const struct urpc_service* service) {
    return service->mapped && urpc_unread(&service->answers);
}

// For a space that has no processor.
static bool underpowered(int space) {
    return space_given.info[space].state != SPACE_ENDED &&
           (needed_by_server(&urpc_channels[space]) || needed_by_client(&urpc_services[space]));
}

// All calls of the space that has lent this processor are answered. The last one stays while a
// thread waits for a limited time, which nobody else would end.
static bool goes_back(int giver) {
    const struct urpc_service* service = &urpc_services[giver];
    return space_given.info[giver].state != SPACE_ENDED &&
           service->calls.count == service->answers.count &&
           (urpc_idle.timers == NULL || space_given.self->processors > 1);
}

// They are served in turn, as one that reads no answers is always underpowered. One that is
// preempted here has had a processor, and has used it for something else.
static int next_underpowered(unsigned absent) {
    static volatile unsigned last;
    while (absent != 0) {
        const unsigned after = absent & -2u << last;
        const unsigned space = (unsigned)__builtin_ctz(after != 0 ? after : absent);
        if (underpowered((int)space)) return (int)(last = space);
        absent &= ~(1u << space);
    }
    return NO_SPACE;
}

// One that waits for its first processor, in main().
static int new_space(void) {
    for (unsigned i = 0; i < space_given.spaces; i++)
        if (space_given.info[i].state == SPACE_NEW) return (int)i;
    return NO_SPACE;
}

// Underpowered spaces come first, among them the giver; then the giver, spaces that are preempted
// on this processor, and new ones.
static int needy(int giver) {
    const unsigned absent = *space_given.absent, preempted = processor_info()->preempted;
    if (giver != NO_SPACE && (absent >> giver & 1) && needed_by_client(&urpc_services[giver]))
        return giver;
    const int space = next_underpowered(absent & ~preempted);
    if (space != NO_SPACE) return space;
    if (giver != NO_SPACE && goes_back(giver)) return giver;
    if (preempted != 0) return __builtin_ctz(preempted);
    return absent != 0 ? new_space() : NO_SPACE;
}

static void fail_ended(void) {
    for (unsigned i = 0; i < space_given.spaces; i++) {
        struct urpc_channel* channel = &urpc_channels[i];
        if (channel->mapped && channel->info->state == SPACE_ENDED) urpc_fail(channel);
    }
}

IDLE_FUNCTION int urpc_look_around(void) {
    if (urpc_idle.asked != space_given.self->asked) {
        urpc_map_channels();
        if (urpc_idle.asked == space_given.self->asked) return NO_SPACE;  // messages may be there
    }
    fail_ended();
    if (urpc_idle.timers != NULL) urpc_expire();
    return needy(processor_given_by());
}
