// SPDX-License-Identifier: MIT
#pragma once

// The memory model of the machine, stated once; locks and all other guest code refer to its rules.
//
// 1. A processor executes in order. Its loads are made in program order.
// 2. Stores go through the processor's write buffer, first in first out: others see them in
//    program order. The bus puts two processors' stores to one word into one order.
// 3. A load may overtake the same processor's earlier store to ANOTHER address while the store
//    waits in the buffer. A load from the same address gets the buffered value. (With
//    cache.store_policy = "stall" no load overtakes; guest code must not rely on that.)
// 4. xchgb (and xchgl) with memory first drains the write buffer. Then it reads and writes the
//    operand with its address locked: no other processor accesses the operand in between.
//    No later instruction starts before xchgb is complete.
//    Even when the value does not change, xchgb writes memory and invalidates the other
//    copies (claim ALL-42).
// 5. An aligned access of 1, 2 or 4 bytes is one access.
//
// To acquire a lock, use exchange_byte. To publish data and then a flag, no fence is needed; only
// the compiler must keep the order (volatile flag and compiler_barrier). A store followed by a load
// of another word (Dekker's algorithm) needs an exchange_byte in between, or stores_before_loads.

// The longest cache line of any configuration. Images for a machine whose unit of coherence is
// longer are built with LINE (symsim_guest.cmake).
#ifndef LINE_BYTES
#define LINE_BYTES 32
#endif

// For the first member of a struct, whose size is a multiple of its alignment: the struct then has
// its lines to itself. A variable that is not a struct would share its line with the next.
#define LINE_ALIGNED __attribute__((aligned(LINE_BYTES)))

// Keeps the compiler from moving memory accesses across it; emits no instruction.
static inline __attribute__((always_inline)) void compiler_barrier(void) {
    __asm__ volatile("" ::: "memory");
}

// Writes `value` and returns the old value (rule 4).
static inline __attribute__((always_inline)) unsigned char exchange_byte(
    volatile unsigned char* byte, unsigned char value) {
    __asm__ volatile("xchgb %0, %1" : "+q"(value), "+m"(*byte) : : "memory");
    return value;
}

// Loads after it are made after all stores before it are visible (rule 4).
static inline __attribute__((always_inline)) void stores_before_loads(void) {
    volatile unsigned char own = 0;
    exchange_byte(&own, 0);
}

// exchange_byte for a 32-bit word.
static inline __attribute__((always_inline)) unsigned exchange_word(volatile unsigned* word,
                                                                    unsigned value) {
    __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*word) : : "memory");
    return value;
}
