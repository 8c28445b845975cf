// SPDX-License-Identifier: MIT
#pragma once

// For whole programs, which do not depend on the machine: they check themselves and print a
// checksum of their results. Their output must be the same everywhere.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define REQUIRE(condition) ((condition) ? (void)0 : require_failed(__FILE__, __LINE__, #condition))

__attribute__((unused)) static void require_failed(const char* file, int line, const char* text) {
    printf("%s:%d: not so: %s\n", file, line, text);
    exit(1);
}

// FNV-1a (Fowler, Noll, Vo) of all values given to mix() and mix64().
static uint32_t checksum = 2166136261u;

__attribute__((unused)) static void mix(uint32_t value) {
    for (int i = 0; i < 4; i++, value >>= 8) checksum = (checksum ^ (value & 0xFF)) * 16777619u;
}

__attribute__((unused)) static void mix64(uint64_t value) {
    mix((uint32_t)value);
    mix((uint32_t)(value >> 32));
}

static int finish(const char* name) {
    printf("%s %08x\n", name, (unsigned)checksum);
    return 0;
}

// The same numbers on every machine: the upper bits of Numerical Recipes' quick generator.
static uint32_t random_state = 1;

__attribute__((unused)) static uint32_t random_word(void) {
    random_state = random_state * 1664525u + 1013904223u;
    uint32_t high = random_state & 0xFFFF0000u;
    random_state = random_state * 1664525u + 1013904223u;
    return high | random_state >> 16;
}
