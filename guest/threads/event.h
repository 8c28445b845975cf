// SPDX-License-Identifier: MIT
#pragma once

// An event, for which one thread waits and which is posted once. Neither side takes a lock: both
// exchange the state. The waiting side does so when the thread has left its stack (threads.c), so
// who posts may make the thread ready at once. In images with address spaces only.

#include "threads.h"

enum event_state { EVENT_OPEN, EVENT_AWAITED, EVENT_POSTED };
struct thread_event {
    volatile unsigned char state;  // initially EVENT_OPEN
    struct thread* thread;         // who waits
};
THREAD_CALL void thread_event_wait(struct thread_event* event);
THREAD_CALL void thread_event_post(struct thread_event* event);
