// SPDX-License-Identifier: MIT
#pragma once

// What the machine promises about memory. Said here once; locks and everything else cite it.
//
// 1. A processor executes in order. Its loads take place in program order.
// 2. Stores go through the processor's write buffer, first in first out: others see them in
//    program order. Two processors' stores to one word have one order, the bus's.
// 3. A load may overtake the same processor's earlier store to ANOTHER address while that waits in
//    the buffer; a load from the same address gets the buffered value. (With cache.store_policy =
//    "stall" even this does not happen; nothing here may rely on that.)
// 4. xchgb (xchgl alike) with memory drains the write buffer first, then reads and writes the byte
// with its
//    address held: nobody reads or writes it in between. Nothing later in the program begins
//    before it is complete. It writes memory and invalidates other copies even when the value
//    does not change (ALL-42).
// 5. An aligned access of 1, 2 or 4 bytes is one access.
//
// So: acquire = exchange_byte. Publishing data and then a flag needs no fence, only that the
// compiler keeps the order (volatile flag and compiler_barrier). A store followed by a load of
// another word, the pattern of Dekker's algorithm, needs an exchange_byte in between.

// The longest cache line of any configuration: what is aligned to it shares a line with nobody.
#define LINE_BYTES 32

#define LINE_ALIGNED __attribute__((aligned(LINE_BYTES)))

// Keeps the compiler from moving memory accesses across; no instruction.
static inline __attribute__((always_inline)) void compiler_barrier(void) {
    __asm__ volatile("" ::: "memory");
}

// Writes `value`, returns what was there; rule 4.
static inline __attribute__((always_inline)) unsigned char exchange_byte(
    volatile unsigned char* byte, unsigned char value) {
    __asm__ volatile("xchgb %0, %1" : "+q"(value), "+m"(*byte) : : "memory");
    return value;
}

// The same for a word.
static inline __attribute__((always_inline)) unsigned exchange_word(volatile unsigned* word,
                                                                    unsigned value) {
    __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*word) : : "memory");
    return value;
}
