// SPDX-License-Identifier: MIT
#pragma once

// Delay loops of known length in registers, which use neither cache nor bus. Clocks are those of
// the 386 manual, m = 1 in both. If cache hits have a wait state, an iteration costs it once more,
// to refill the prefetch queue after the branch (docs/how-it-works/model.md).

#define DELAY_TURN_CLOCKS 10  // decl 2, jnz taken 7 + 1: 0.625 us at 16 MHz
#define DELAY_SLOT_CLOCKS 16  // two nops 6, decl 2, jnz taken 7 + 1: 1 us

// Runs at least one iteration.
static inline __attribute__((always_inline)) void delay_turns(unsigned turns) {
    __asm__ volatile(
        "1: decl %0\n\t"
        "jnz 1b"
        : "+r"(turns)
        :
        : "cc");
}

// Waits at least one slot of 1 us.
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
