// SPDX-License-Identifier: MIT
#pragma once

// Internal header of the side of ring 3.

#include <stdint.h>

#include "process.h"

#ifdef SYMSIM_SPACES  // the kernel of spaces shares no code with ring 3
#include "space.h"
#define SELF_KIND "space"
#define self_number space_self
static inline bool in_kernel(void) {
    return false;
}
#else
#include "descriptors.h"
#define SELF_KIND "process"
#define self_number process_self
static inline bool in_kernel(void) {
    return ring() == 0;
}
#endif

uint32_t system_call(uint32_t call, uint32_t first, uint32_t second, uint32_t third);
__attribute__((regparm(2))) _Noreturn void process_main(process_function* function, void* argument);
