// SPDX-License-Identifier: MIT

#include "thread_place.h"

#if __has_include("monitor.h")
#include "monitor.h"

thread_place thread_near(const void* address) {
    return thread_on_node(monitor_node_of(address));
}
#else  // TODO: until monitor.h is there
thread_place thread_near(const void* address) {
    (void)address;
    return THREAD_ANYWHERE;
}
#endif
