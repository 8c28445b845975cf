// SPDX-License-Identifier: MIT

// What a processor does that finds no ready thread: it polls the channels, and goes to a space that
// needs it more.

#include "channel.h"
#include "kernel/spaces/user/user_space.h"

bool urpc_may_map(void);   // bind.c
bool threads_ready(void);  // threads/spaces.h
bool urpc_loaded = true;

static bool poll_channel(struct urpc_channel* channel) {
    if (urpc_slot(&channel->answers)->full) return urpc_poll_answers(channel);
    if (channel->info->state == SPACE_ENDED) urpc_fail(channel);
    return false;
}

IDLE_FUNCTION bool urpc_poll(void) {
    bool any = false;
    for (unsigned i = 0; i < space_given.spaces; i++) {
        struct urpc_channel* channel = &urpc_channels[i];
        struct urpc_service* service = &urpc_services[i];
        if (channel->mapped) any |= poll_channel(channel);
        if (service->mapped && urpc_slot(&service->calls)->full) any |= urpc_poll_calls(service);
    }
    return any;
}

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
    return service->received == service->answered || (has_none(info) && needed_by_client(service));
}

// Underpowered spaces come before those whose main() waits for its first processor.
IDLE_FUNCTION int urpc_needy(void) {
    const struct space_info* info = space_given.info;
    const int giver = processor_given_by();
    if (giver != NO_SPACE && goes_back(giver, &info[giver])) return giver;
    int new = NO_SPACE;
    for (int i = 0; i < (int)space_given.spaces; i++) {
        if (!has_none(&info[i])) continue;
        if (needed_by_server(&urpc_channels[i]) || needed_by_client(&urpc_services[i])) return i;
        if (info[i].state == SPACE_NEW) new = i;
    }
    return new;
}

// Called by the dispatcher (threads/threads.c); returns when a thread may be ready. A message is
// looked for before a donated processor may go back. The loop stores nothing, so a processor that
// waits does not use the bus.
IDLE_FUNCTION void urpc_idle(void) {
    while (!urpc_poll() && !threads_ready()) {
        if (urpc_may_map()) urpc_map_channels();
        const int space = urpc_needy();
        if (space != NO_SPACE) processor_donate(space);
    }
}
