// SPDX-License-Identifier: MIT
// The one place where results are rounded, whatever operation they come from and whatever format
// they go to.
#pragma once

#include <cstdint>

#include "sim/cpu/fpu/environment.h"
#include "sim/cpu/fpu/float80.h"

namespace symsim {

using Wide = unsigned __int128;

constexpr Wide wide(std::uint64_t high, std::uint64_t low) {
    return Wide{high} << 64 | low;
}
constexpr std::uint64_t high_of(Wide w) {
    return static_cast<std::uint64_t>(w >> 64);
}
constexpr std::uint64_t low_of(Wide w) {
    return static_cast<std::uint64_t>(w);
}
// Number of zeros above the highest one; v is not 0.
constexpr int leading_zeros(std::uint64_t v) {
    return __builtin_clzll(v);
}
constexpr int leading_zeros(Wide v) {
    return high_of(v) ? leading_zeros(high_of(v)) : 64 + leading_zeros(low_of(v));
}
// Shifted right; what falls out stays visible in the lowest bit.
constexpr Wide shifted_right(Wide v, int count) {
    if (count <= 0) return v;
    if (count >= 128) return v != 0;
    return v >> count | ((v << (128 - count)) != 0);
}

// A finite number other than zero before it is rounded: significand / 2^127 * 2^(exponent - bias),
// with the highest bit set. The lowest bit also stands for all that would follow it.
struct Unrounded {
    bool sign = false;
    int exponent = 0;
    Wide significand = 0;
};

// Of a number that is neither zero, infinite, NaN nor unsupported: exact, normalised.
inline Unrounded unpack(Float80 f) {
    if (f.is_normal()) return {f.sign(), f.exponent(), wide(f.significand, 0)};
    const int zeros = leading_zeros(f.significand);
    return {f.sign(), 1 - zeros, wide(f.significand << zeros, 0)};
}

// The same with the highest bit wherever it is; v is not 0.
inline Unrounded normalised(bool sign, int exponent, Wide v) {
    const int zeros = leading_zeros(v);
    return {sign, exponent - zeros, v << zeros};
}

// A destination: bits of significand, exponents (with the extended bias) of its smallest and
// largest normal numbers.
struct FloatFormat {
    int bits;
    int least;
    int greatest;
};
constexpr FloatFormat kExtended = {64, 1, 0x7ffe};

// Whether what follows the last kept bit rounds the magnitude up.
inline bool rounds_up(Rounding mode, bool sign, bool odd, bool half, bool sticky) {
    switch (mode) {
        case Rounding::nearest:
            return half && (sticky || odd);
        case Rounding::down:
            return sign && (half || sticky);
        case Rounding::up:
            return !sign && (half || sticky);
        default:
            return false;
    }
}

// To a register, with `bits` of significand (precision control) and the extended exponent range.
// Unmasked over- and underflow deliver the number with its exponent moved by 24576.
Float80 round_to_register(Environment& env, int bits, const Unrounded& value);
inline Float80 round_to_register(Environment& env, const Unrounded& value) {
    return round_to_register(env, 64, value);
}

// To memory: the number in the extended format, representable in `format`. Unmasked over- and
// underflow leave the destination alone, then the value returned means nothing.
Float80 round_to_memory(Environment& env, const FloatFormat& format, const Unrounded& value);

// To an integer of up to 64 bits: magnitude only. Exponents at or above 2^64 are the caller's.
std::uint64_t round_to_integer(Environment& env, const Unrounded& value, bool& carry);

}  // namespace symsim
