// SPDX-License-Identifier: MIT
#pragma once

// The 80387's registers of a program. While the TS bit of cr0 is set the program that runs has not
// used the 80387, and its first use is exception 7.

#include <stdbool.h>
#include <stdint.h>

#define CR0_TASK_SWITCHED 8u

struct fpu_state {
    bool kept;  // the program has used the 80387
    uint32_t registers[27];
};

static inline uint32_t read_cr0(void) {
    uint32_t cr0;
    __asm__ volatile("movl %%cr0, %0" : "=r"(cr0));
    return cr0;
}
static inline bool fpu_is_used(void) {
    return (read_cr0() & CR0_TASK_SWITCHED) == 0;
}
static inline void fpu_refuse(void) {
    __asm__ volatile("movl %0, %%cr0" : : "r"(read_cr0() | CR0_TASK_SWITCHED));
}
static inline void fpu_allow(void) {
    __asm__ volatile("clts");
}
static inline void fpu_init(void) {
    __asm__ volatile("fninit");
}
// The 80387 is as after fpu_init() then.
static inline void fpu_save(struct fpu_state* state) {
    __asm__ volatile("fnsave %0; fwait" : "=m"(state->registers));
    state->kept = true;
}
// It waits for the 80387: exceptions of another program must not be pending.
static inline void fpu_load(const struct fpu_state* state) {
    __asm__ volatile("frstor %0" : : "m"(state->registers));
}
