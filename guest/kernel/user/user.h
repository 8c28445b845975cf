// SPDX-License-Identifier: MIT
#pragma once

// Internal header of the side of ring 3.

#include <stdint.h>

#include "process.h"

uint32_t system_call(uint32_t call, uint32_t first, uint32_t second, uint32_t third);
__attribute__((regparm(2))) _Noreturn void process_main(process_function* function, void* argument);
