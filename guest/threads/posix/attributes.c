// SPDX-License-Identifier: MIT

// Attributes for pthread_create.

#include "errno.h"
#include "posix.h"

int pthread_attr_init(pthread_attr_t* attributes) {
    *attributes = (pthread_attr_t){PTHREAD_CREATE_JOINABLE, THREAD_STACK_BYTES};
    return 0;
}

int pthread_attr_destroy(pthread_attr_t* attributes) {
    (void)attributes;
    return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t* attributes, int state) {
    if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED) return EINVAL;
    attributes->detached = state;
    return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t* attributes, int* state) {
    *state = attributes->detached;
    return 0;
}

_Static_assert(PTHREAD_STACK_MIN <= THREAD_STACK_BYTES, "each thread has at least this stack");

int pthread_attr_setstacksize(pthread_attr_t* attributes, size_t bytes) {
    if (bytes < PTHREAD_STACK_MIN) return EINVAL;
    attributes->stack_bytes = bytes & -(size_t)16;
    return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t* attributes, size_t* bytes) {
    *bytes = attributes->stack_bytes;
    return 0;
}
