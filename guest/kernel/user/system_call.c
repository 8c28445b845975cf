// SPDX-License-Identifier: MIT

#include "kernel/system_call.h"

#include "user.h"

uint32_t system_call(uint32_t call, uint32_t first, uint32_t second, uint32_t third) {
    __asm__ volatile("int %1"
                     : "+a"(call)
                     : "i"(SYSTEM_CALL_VECTOR), "b"(first), "c"(second), "d"(third)
                     : "memory");
    return call;
}
