// SPDX-License-Identifier: MIT

// What a processor does that finds no ready thread: it polls the channels, and goes to a space that
// needs it more.

#include "channel.h"

bool urpc_may_map(void);  // bind.c
bool urpc_loaded = true;

// A space without a processor cannot ask for one: those who have sent it something look after it.
static bool has_none(const struct space_info* info) {
    return info->processors == 0 && info->state != SPACE_ENDED;
}

IDLE_FUNCTION bool urpc_poll(void) {
    bool any = false;
    for (unsigned i = 0; i < spaces(); i++) {
        struct urpc_channel* channel = &urpc_channels[i];
        struct urpc_service* service = &urpc_services[i];
        if (channel->mapped) {
            any |= urpc_poll_answers(channel);
            if (!any && channel->info->state == SPACE_ENDED) urpc_fail(channel);
        }
        if (service->mapped) any |= urpc_poll_calls(service);
    }
    return any;
}

// The server has not received the last call.
static bool needed_by_server(const struct urpc_channel* channel) {
    return channel->mapped && has_none(channel->info) && urpc_unread(&channel->calls);
}

static bool needed_by_client(const struct urpc_service* service) {
    return service->mapped && has_none(service->info) && urpc_unread(&service->answers);
}

// A processor that was donated goes back when all calls of its giver are answered, or when the
// giver needs it.
static bool goes_back(int giver) {
    const struct urpc_service* service = &urpc_services[giver];
    return service->received == service->answered || needed_by_client(service);
}

IDLE_FUNCTION int urpc_needy(void) {
    const int giver = processor_given_by();
    if (giver != NO_SPACE && space_info(giver)->state != SPACE_ENDED && goes_back(giver))
        return giver;
    for (int i = 0; i < (int)spaces(); i++)
        if (needed_by_server(&urpc_channels[i]) || needed_by_client(&urpc_services[i])) return i;
    for (int i = 0; i < (int)spaces(); i++)
        if (space_info(i)->state == SPACE_NEW) return i;  // its main() waits for a processor
    return NO_SPACE;
}

// One round, called by the dispatcher (threads/threads.c). What a donated processor was given for
// is received before it may go back.
IDLE_FUNCTION void urpc_idle(void) {
    if (urpc_poll()) return;
    if (urpc_may_map()) urpc_map_channels();
    const int space = urpc_needy();
    if (space != NO_SPACE) processor_donate(space);
}
