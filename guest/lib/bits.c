// SPDX-License-Identifier: MIT

// Functions that gcc calls for __builtin_popcount, parity, ffs and 64-bit byte swaps on a 386.

#include <stdint.h>

int __popcountsi2(uint32_t x);
int __popcountdi2(uint64_t x);
int __paritysi2(uint32_t x);
int __paritydi2(uint64_t x);
int __ffsdi2(uint64_t x);
int __clzdi2(uint64_t x);
int __ctzdi2(uint64_t x);
uint32_t __bswapsi2(uint32_t x);
uint64_t __bswapdi2(uint64_t x);

int __popcountsi2(uint32_t x) {
    int count = 0;
    for (; x != 0; x &= x - 1) count++;
    return count;
}

int __popcountdi2(uint64_t x) {
    return __popcountsi2((uint32_t)x) + __popcountsi2((uint32_t)(x >> 32));
}

int __paritysi2(uint32_t x) {
    return __popcountsi2(x) & 1;
}

int __paritydi2(uint64_t x) {
    return __popcountdi2(x) & 1;
}

int __ctzdi2(uint64_t x) {
    return (uint32_t)x != 0 ? __builtin_ctz((uint32_t)x) : 32 + __builtin_ctz((uint32_t)(x >> 32));
}

int __clzdi2(uint64_t x) {
    return x >> 32 != 0 ? __builtin_clz((uint32_t)(x >> 32)) : 32 + __builtin_clz((uint32_t)x);
}

int __ffsdi2(uint64_t x) {
    return x == 0 ? 0 : __ctzdi2(x) + 1;
}

uint32_t __bswapsi2(uint32_t x) {
    return x << 24 | (x & 0xFF00) << 8 | (x >> 8 & 0xFF00) | x >> 24;
}

uint64_t __bswapdi2(uint64_t x) {
    return (uint64_t)__bswapsi2((uint32_t)x) << 32 | __bswapsi2((uint32_t)(x >> 32));
}
