// SPDX-License-Identifier: MIT

// 64-bit division, which gcc leaves to a library; gcc prescribes the names. Debian's 32-bit libgcc
// has instructions that a 386 refuses (endbr32, cmov), so guests have their own.

#include <stdint.h>

uint64_t __udivmoddi4(uint64_t dividend, uint64_t divisor, uint64_t* remainder);
uint64_t __udivdi3(uint64_t dividend, uint64_t divisor);
uint64_t __umoddi3(uint64_t dividend, uint64_t divisor);
int64_t __divdi3(int64_t dividend, int64_t divisor);
int64_t __moddi3(int64_t dividend, int64_t divisor);
int64_t __divmoddi4(int64_t dividend, int64_t divisor, int64_t* remainder);

// high:low / divisor; requires high < divisor, otherwise the processor raises a divide error.
static uint32_t divide_word(uint32_t high, uint32_t low, uint32_t divisor, uint32_t* remainder) {
    uint32_t quotient;
    __asm__("divl %4"
            : "=a"(quotient), "=d"(*remainder)
            : "0"(low), "1"(high), "rm"(divisor)
            : "cc");
    return quotient;
}

// Long division. A one-word divisor: one word at a time. A longer divisor: one bit at a time; the
// quotient then has at most 32 bits.
uint64_t __udivmoddi4(uint64_t dividend, uint64_t divisor, uint64_t* remainder) {
    if (divisor >> 32 == 0) {
        uint32_t rest;
        uint32_t high = divide_word(0, (uint32_t)(dividend >> 32), (uint32_t)divisor, &rest);
        uint32_t low = divide_word(rest, (uint32_t)dividend, (uint32_t)divisor, &rest);
        if (remainder) *remainder = rest;
        return (uint64_t)high << 32 | low;
    }
    unsigned shift = 0;
    while (divisor >> 63 == 0 && divisor << 1 <= dividend) {
        divisor <<= 1;
        shift++;
    }
    uint32_t quotient = 0;
    for (;;) {
        quotient <<= 1;
        if (dividend >= divisor) {
            dividend -= divisor;
            quotient |= 1;
        }
        if (shift-- == 0) break;
        divisor >>= 1;
    }
    if (remainder) *remainder = dividend;
    return quotient;
}

uint64_t __udivdi3(uint64_t dividend, uint64_t divisor) {
    return __udivmoddi4(dividend, divisor, 0);
}

uint64_t __umoddi3(uint64_t dividend, uint64_t divisor) {
    uint64_t remainder;
    __udivmoddi4(dividend, divisor, &remainder);
    return remainder;
}

static uint64_t magnitude(int64_t value) {
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

// C rounds towards 0: the quotient is negative if the signs differ, and the remainder has the sign
// of the dividend.
int64_t __divdi3(int64_t dividend, int64_t divisor) {
    uint64_t quotient = __udivmoddi4(magnitude(dividend), magnitude(divisor), 0);
    return (int64_t)((dividend < 0) != (divisor < 0) ? -quotient : quotient);
}

int64_t __moddi3(int64_t dividend, int64_t divisor) {
    uint64_t remainder;
    __udivmoddi4(magnitude(dividend), magnitude(divisor), &remainder);
    return (int64_t)(dividend < 0 ? -remainder : remainder);
}

int64_t __divmoddi4(int64_t dividend, int64_t divisor, int64_t* remainder) {
    int64_t quotient = __divdi3(dividend, divisor);
    *remainder = (int64_t)((uint64_t)dividend - (uint64_t)quotient * (uint64_t)divisor);
    return quotient;
}
