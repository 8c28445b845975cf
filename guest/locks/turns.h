// SPDX-License-Identifier: MIT
#pragma once

// Waiting without looking: loops of known length in registers, which use neither cache nor bus.
// hardware.md section 2 has the clocks, m = 1 in both loops; cache.hit_wait_clocks, if there are any,
// come on top (docs/model.md).

#define DELAY_TURN_CLOCKS 10   // decl 2, jnz taken 7 + 1: 0.625 us at 16 MHz
#define DELAY_SLOT_CLOCKS 16   // nop 3, nop 3, decl 2, jnz 7 + 1: 1 us at 16 MHz

// At least one turn.
static inline __attribute__((always_inline)) void delay_turns(unsigned turns) {
    __asm__ volatile(
        "1: decl %0\n\t"
        "jnz 1b"
        : "+r"(turns)
        :
        : "cc");
}

// At least one slot of 1 us.
static inline __attribute__((always_inline)) void delay_slots(unsigned slots) {
    __asm__ volatile(
        "1: nop\n\t"
        "nop\n\t"
        "decl %0\n\t"
        "jnz 1b"
        : "+r"(slots)
        :
        : "cc");
}
