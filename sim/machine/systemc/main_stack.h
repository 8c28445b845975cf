// SPDX-License-Identifier: MIT
// A correction for builds with AddressSanitizer. SystemC reports every switch between its
// processes' stacks to AddressSanitizer, but reports wrong bounds on the way back to the program's
// own stack. Without this correction the first exception thrown after sc_start() is reported as a
// stack overflow.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

#include <cstddef>
#endif

namespace symsim {

// Called when sc_start() has returned.
inline void back_on_main_stack() {
#if defined(__SANITIZE_ADDRESS__)
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    void* bottom = nullptr;
    std::size_t size = 0;
    pthread_attr_getstack(&attributes, &bottom, &size);
    pthread_attr_destroy(&attributes);
    __sanitizer_start_switch_fiber(nullptr, bottom, size);
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

}  // namespace symsim
