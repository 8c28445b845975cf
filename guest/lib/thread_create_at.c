// SPDX-License-Identifier: MIT

// For programs whose strategy has no places: threads are created as usual. The two functions are in
// one file, since the linker takes it for either.

#include "thread_place.h"

__attribute__((regparm(3))) void thread_create(thread_function* function, void* argument);

__attribute__((regparm(3))) void thread_create_at(thread_function* function, void* argument,
                                                  thread_place place) {
    (void)place;
    thread_create(function, argument);
}

__attribute__((regparm(3))) void thread_create_with(thread_function* function, void* argument,
                                                    struct thread* partner) {
    (void)partner;
    thread_create(function, argument);
}
