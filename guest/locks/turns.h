// SPDX-License-Identifier: MIT
#pragma once

// Waiting without looking: loops of known length in registers, which use neither cache nor bus.
// A turn also costs one cache-hit wait for refilling the prefetch queue behind the taken branch
// (docs/model.md); hardware.md section 2 has the clocks, m = 1 in both loops.

#define DELAY_TURN_CLOCKS 10   // decl 2, jnz taken 7 + 1: 0.625 us at 16 MHz
#define DELAY_SLOT_CLOCKS 15   // nop 3, movl 2, decl 2, jnz 7 + 1; with a wait of 1, 16: 1 us

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
        "movl %0, %0\n\t"
        "decl %0\n\t"
        "jnz 1b"
        : "+r"(slots)
        :
        : "cc");
}
