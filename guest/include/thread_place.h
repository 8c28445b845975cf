// SPDX-License-Identifier: MIT
#pragma once

// Where a new thread should run (Steckermeier & Bellosa 1995, sections 3.2 and 3.4). A place is a
// wish: a processor that has nothing else to do takes threads of others. Strategies without places
// treat thread_create_at and thread_create_with as thread_create.

typedef void thread_function(void* argument);
struct thread;

typedef unsigned thread_place;

#define THREAD_PLACE_NODE 0x10000
#define THREAD_ANYWHERE 0x20000

static inline thread_place thread_on_processor(unsigned processor) {
    return processor;
}

static inline thread_place thread_on_node(unsigned node) {
    return THREAD_PLACE_NODE + node;
}

// On the node whose memory has the byte at `address`, as monitor.h says; anywhere, if there is one
// node.
thread_place thread_near(const void* address);

__attribute__((regparm(3))) void thread_create_at(thread_function* function, void* argument,
                                                  thread_place place);
// Where `partner` is, also later: whoever wakes the new thread sends it to the processor on which
// `partner` ran last. `partner` must not have finished.
__attribute__((regparm(3))) void thread_create_with(thread_function* function, void* argument,
                                                    struct thread* partner);
