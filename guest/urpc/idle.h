// SPDX-License-Identifier: MIT
#pragma once

// What a processor looks at that has no thread to run: guest/threads/spaces.h has the loop. It
// stores nothing while there is nothing, so a processor that waits does not use the bus.

#include "channel.h"
#include "kernel/spaces/user/user_space.h"

// The ends at which this space receives, each with the function that receives a message there.
extern struct urpc_idle {
    struct urpc_receiver {
        LINE_ALIGNED struct urpc_end* volatile end;  // NULL behind the last one
        URPC_CALL void (*receive)(struct urpc_end* end);
    } receivers[2 * MAX_SPACES];
    volatile unsigned asked;  // space_info's, as it was when this space asked last for memory
    struct urpc_timer* volatile timers;  // of the threads that wait for a limited time
} urpc_idle;

// Receives one message at each end; true if there was any. But of every URPC_SLOTS messages at an
// end one does not count, so that a processor with messages all the time looks around, too.
static inline bool urpc_poll(void) {
    bool any = false;
    struct urpc_end* end;
    for (struct urpc_receiver* next = urpc_idle.receivers; (end = next->end) != NULL; next++) {
        if (urpc_slot(end)->number == 0) continue;
        next->receive(end);
        any |= end->count % URPC_SLOTS != 0;
    }
    return any;
}

// True mostly: each space has a processor, nobody else wants this one, the kernel says nothing new
// about shared memory or the end of a space, and no thread waits for a limited time.
static inline bool urpc_quiet(void) {
    const struct processor_info* here = processor_info();
    return *space_given.absent == 0 && urpc_idle.asked == space_given.self->asked &&
           urpc_idle.timers == NULL && here->given_by[space_given.number] == NO_SPACE &&
           here->preempted == 0;
}

// If it is not quiet: maps channels, and ends the waiting for servers that have ended, or for too
// long. Returns the space to which the processor should go, or NO_SPACE.
int urpc_look_around(void);
