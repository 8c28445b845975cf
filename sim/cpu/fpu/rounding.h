// SPDX-License-Identifier: MIT
// Rounding. These functions round all results, of every operation and to every format.
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
// The number of zeros above the highest set bit. `v` is not 0.
constexpr int leading_zeros(std::uint64_t v) {
    return __builtin_clzll(v);
}
constexpr int leading_zeros(Wide v) {
    return high_of(v) ? leading_zeros(high_of(v)) : 64 + leading_zeros(low_of(v));
}
// Shifts right. The lowest bit of the result is sticky: it is set if any bit shifted out was set.
constexpr Wide shifted_right(Wide v, int count) {
    if (count <= 0) return v;
    if (count >= 128) return v != 0;
    return v >> count | ((v << (128 - count)) != 0);
}

// A finite number other than zero before it is rounded: significand / 2^127 * 2^(exponent - bias).
// The highest bit of the significand is set. The lowest bit is sticky: it also stands for all bits
// that would follow.
struct Unrounded {
    bool sign = false;
    int exponent = 0;
    Wide significand = 0;
};

// Unpacks a number exactly and normalises it. `f` is not zero, infinite, NaN or unsupported.
inline Unrounded unpack(Float80 f) {
    if (f.is_normal()) return {f.sign(), f.exponent(), wide(f.significand, 0)};
    const int zeros = leading_zeros(f.significand);
    return {f.sign(), 1 - zeros, wide(f.significand << zeros, 0)};
}

// Normalises a significand whose highest set bit may be anywhere. `v` is not 0.
inline Unrounded normalised(bool sign, int exponent, Wide v) {
    const int zeros = leading_zeros(v);
    return {sign, exponent - zeros, v << zeros};
}

// A destination format: the bits of its significand, and the exponents (with the extended bias) of
// its smallest and largest normal numbers.
struct FloatFormat {
    int bits;
    int least;
    int greatest;
};
constexpr FloatFormat kExtended = {64, 1, 0x7ffe};

// Whether the magnitude is rounded up. `odd` is the last kept bit, `half` the first dropped bit,
// `sticky` whether any later bit is set.
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

// Rounds to a register: `bits` bits of significand (precision control) and the exponent range of
// the extended format. Unmasked overflow and underflow give the number with its exponent adjusted
// by 24576.
Float80 round_to_register(Environment& env, int bits, const Unrounded& value);
inline Float80 round_to_register(Environment& env, const Unrounded& value) {
    return round_to_register(env, 64, value);
}

// Rounds for a store. The result is in the extended format but representable in `format`. If an
// overflow or underflow is unmasked, nothing is to be stored and the returned value is meaningless.
Float80 round_to_memory(Environment& env, const FloatFormat& format, const Unrounded& value);

// Rounds to an integer of up to 64 bits and returns its magnitude. `value` must be less than 2^64.
// `carry`: it was rounded up to 2^64.
std::uint64_t round_to_integer(Environment& env, const Unrounded& value, bool& carry);

}  // namespace symsim
