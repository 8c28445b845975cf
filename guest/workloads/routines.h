// SPDX-License-Identifier: MIT
#pragma once

// A bytecode machine with 256 operations. Each is a routine of about 200 bytes with data-dependent
// branches, selected by a jump table: the code of an interpreter, 50 KB.
//
// The state is two words. An operation computes a value from one word, XORs it into the other, and
// swaps the two (a Feistel network). So the same program run backwards on the swapped words undoes
// all operations. That run checks every value computed.

#include <stdbool.h>
#include <stdint.h>

#include "symsim.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define OPERATIONS 256
#define CONSTANT_WORDS 1024

struct state {
    uint32_t left, right;
};

static uint32_t constants[CONSTANT_WORDS];  // read by the operations: 4 KB

ALWAYS_INLINE uint32_t rotate(uint32_t word, unsigned bits) {
    return word << bits | word >> (32 - bits);
}

// One step of a routine. `kind`, `bits` (1 to 31) and `key` are compile-time constants.
ALWAYS_INLINE uint32_t step(unsigned kind, unsigned bits, uint32_t key, uint32_t word) {
    switch (kind) {
        case 0:
            return word & 1u << bits ? word + key : word ^ word >> bits;
        case 1:
            if (word < key) return rotate(word, bits) ^ key;
            return word - constants[word >> bits % 8 & (CONSTANT_WORDS - 1)];
        case 2:  // up to three iterations
            for (unsigned turns = word & 3; turns > 0; turns--)
                word = word << 1 ^ (word >> 31 ? key : bits);
            return word;
        case 3:
            if ((word ^ key) & 0x10) return word * (key | 1);
            return (word | key) - (word >> bits);
        case 4:
            if ((uint8_t)word > (uint8_t)key) word ^= constants[key % CONSTANT_WORDS];
            return (uint16_t)word > (uint16_t)key ? word + (word << bits) : word - bits;
        default:
            if (word & 1) return word & 2 ? rotate(word, bits) : word + key;
            return word & 4 ? word ^ key : ~word - bits;
    }
}

ALWAYS_INLINE uint32_t numbered_step(uint32_t number, uint32_t word) {
    uint32_t key = number * 0x9E3779B1u;  // 2^32 divided by the golden ratio
    return step((key >> 28) % 6, 1 + (key >> 20) % 31, key, word);
}

// Not a loop: in a loop the step numbers would not be compile-time constants.
ALWAYS_INLINE uint32_t routine(uint32_t number, uint32_t word) {
    word = numbered_step(5 * number + 1, word);
    word = numbered_step(5 * number + 2, word);
    word = numbered_step(5 * number + 3, word);
    word = numbered_step(5 * number + 4, word);
    return numbered_step(5 * number + 5, word);
}

#define ROUTINE(number)                \
    case number:                       \
        value = routine(number, left); \
        break;
#define ROUTINES_4(n) ROUTINE(n) ROUTINE((n) + 1) ROUTINE((n) + 2) ROUTINE((n) + 3)
#define ROUTINES_16(n) ROUTINES_4(n) ROUTINES_4((n) + 4) ROUTINES_4((n) + 8) ROUTINES_4((n) + 12)
#define ROUTINES_64(n) \
    ROUTINES_16(n) ROUTINES_16((n) + 16) ROUTINES_16((n) + 32) ROUTINES_16((n) + 48)

// Executes the operations from `next` to before `end`; backwards if `direction` is -1. The lowest
// two bits of the word that is read select one of four operations, so programs themselves branch.
static __attribute__((noinline)) void interpret(const uint8_t* next, const uint8_t* end,
                                                int direction, struct state* state) {
    uint32_t left = state->left, right = state->right;
    for (; next != end; next += direction) {
        uint32_t value;
        switch ((*next ^ (left & 3)) % OPERATIONS) {
            ROUTINES_64(0)
            ROUTINES_64(64)
            ROUTINES_64(128)
            ROUTINES_64(192)
            default:
                __builtin_unreachable();
        }
        value ^= right;
        right = left;
        left = value;
    }
    state->left = left;
    state->right = right;
}

// Makes a random program, and the constants that all programs share.
static void setup_program(uint8_t* program, unsigned operations) {
    for (unsigned i = 0; i < operations; i++) program[i] = random_next() >> 16;
    for (unsigned i = 0; i < CONSTANT_WORDS; i++) constants[i] = random_next();
}

static bool same_state(struct state one, struct state other) {
    return one.left == other.left && one.right == other.right;
}

// Undoes interpret() of the same operations.
static void interpret_backwards(const uint8_t* first, const uint8_t* end, struct state* state) {
    struct state exchanged = {state->right, state->left};
    interpret(end - 1, first - 1, -1, &exchanged);
    *state = (struct state){exchanged.right, exchanged.left};
}
