// SPDX-License-Identifier: MIT
#pragma once

// The frame with which a program begins in ring 3: at `function`, which gets its two arguments in
// registers (regparm(2)), with interrupts on and all other registers 0. `stack`: its first esp.

#include "interrupts.h"

static inline void begin_frame(struct trap_frame* frame, uintptr_t function, uintptr_t stack,
                               uint32_t first, uint32_t second) {
    *frame = (struct trap_frame){
        .es = USER_DATA,
        .ds = USER_DATA,
        .eax = first,
        .edx = second,
        .eip = function,
        .cs = USER_CODE,
        .flags = FLAG_INTERRUPT,
        .esp = stack,
        .ss = USER_DATA,
    };
}

static inline bool from_user(const struct trap_frame* frame) {
    return (frame->cs & 3) == 3;
}
