// SPDX-License-Identifier: MIT
// Rounding to a register, to a format in memory, and to an integer.
#include "sim/cpu/fpu/rounding.h"

namespace symsim {
namespace {

// The exponent adjustment of unmasked overflow and underflow, 3 * 2^13 (Intel, 80387 Programmer's
// Reference Manual, 1987, recalled).
constexpr int kBiasAdjust = 24576;

struct Cut {
    std::uint64_t significand;  // 0: rounded up to twice the weight of its highest bit
    bool inexact;
    bool up;
};

// Rounds a significand to its highest `bits` bits.
Cut cut(Rounding mode, bool sign, Wide significand, int bits) {
    const int dropped = 64 - bits;
    const std::uint64_t high = high_of(significand);
    const std::uint64_t unit = std::uint64_t{1} << dropped;
    const std::uint64_t kept = high & ~(unit - 1);
    const Wide rest = wide(high - kept, low_of(significand));
    if (rest == 0) return {kept, false, false};
    const Wide half = Wide{unit} << 63;
    const bool up =
        rounds_up(mode, sign, kept & unit, (rest & half) != 0, (rest & (half - 1)) != 0);
    return {up ? kept + unit : kept, true, up};
}

// Rounds with an unbounded exponent. A carry out of the significand increments the exponent.
Cut cut_unbounded(Rounding mode, const Unrounded& value, int bits, int& exponent) {
    Cut c = cut(mode, value.sign, value.significand, bits);
    exponent = value.exponent;
    if (c.significand == 0) {
        c.significand = Float80::kIntegerBit;
        ++exponent;
    }
    return c;
}

void note(Environment& env, const Cut& c) {
    if (c.inexact) env.raised |= kPrecision;
    env.rounded_up = c.up;
}

Float80 overflowed(Environment& env, const FloatFormat& format, bool sign) {
    env.raised |= kOverflow | kPrecision;
    const Rounding mode = env.rounding();
    const bool to_infinity =
        mode == Rounding::nearest || mode == (sign ? Rounding::down : Rounding::up);
    env.rounded_up = to_infinity;
    if (to_infinity) return Float80::infinity(sign);
    const std::uint64_t all = ~std::uint64_t{0} << (64 - format.bits);
    return Float80::make(sign, format.greatest, all);
}

// For a number below the smallest normal number: the exponent is `least` and the significand is
// shifted right. `tiny`: it is below that number even if rounded with an unbounded exponent.
Float80 underflowed(Environment& env, const FloatFormat& format, const Unrounded& value,
                    bool tiny) {
    const Wide shifted = shifted_right(value.significand, format.least - value.exponent);
    const Cut c = cut(env.rounding(), value.sign, shifted, format.bits);
    note(env, c);
    if (tiny && c.inexact) env.raised |= kUnderflow;
    // A carry into the integer bit gives the smallest normal number.
    const bool normal = c.significand >> 63;
    const int exponent = normal || format.least != kExtended.least ? format.least : 0;
    return Float80::make(value.sign, exponent, c.significand);
}

}  // namespace

Float80 round_to_register(Environment& env, int bits, const Unrounded& value) {
    int exponent;
    const Cut c = cut_unbounded(env.rounding(), value, bits, exponent);
    if (value.exponent >= kExtended.least && exponent <= kExtended.greatest) {
        note(env, c);
        return Float80::make(value.sign, exponent, c.significand);
    }
    const FloatFormat format = {bits, kExtended.least, kExtended.greatest};
    const bool tiny = exponent < kExtended.least;
    const bool huge = exponent > kExtended.greatest;
    if (huge && env.masked(kOverflow)) return overflowed(env, format, value.sign);
    if (!huge && (!tiny || env.masked(kUnderflow))) return underflowed(env, format, value, tiny);
    // An unmasked overflow or underflow. If the adjusted exponent is still out of range (only for
    // fscale), the result is infinite or zero.
    env.raised |= huge ? kOverflow : kUnderflow;
    exponent += huge ? -kBiasAdjust : kBiasAdjust;
    if (exponent > kExtended.greatest || exponent < kExtended.least) {
        env.raised |= kPrecision;
        env.rounded_up = huge;
        return huge ? Float80::infinity(value.sign) : Float80::zero(value.sign);
    }
    note(env, c);
    return Float80::make(value.sign, exponent, c.significand);
}

Float80 round_to_memory(Environment& env, const FloatFormat& format, const Unrounded& value) {
    int exponent;
    const Cut c = cut_unbounded(env.rounding(), value, format.bits, exponent);
    if (exponent > format.greatest) {
        if (env.masked(kOverflow)) return overflowed(env, format, value.sign);
        env.raised |= kOverflow;
        return {};
    }
    if (value.exponent < format.least) {
        const bool tiny = exponent < format.least;
        if (!tiny || env.masked(kUnderflow)) return underflowed(env, format, value, tiny);
        env.raised |= kUnderflow;
        return {};
    }
    note(env, c);
    return Float80::make(value.sign, exponent, c.significand);
}

std::uint64_t round_to_integer(Environment& env, const Unrounded& value, bool& carry) {
    const int fraction_bits = Float80::kBias + 63 - value.exponent;
    const Wide shifted = shifted_right(value.significand, fraction_bits);
    const Cut c = cut(env.rounding(), value.sign, shifted, 64);
    note(env, c);
    carry = c.up && c.significand == 0;
    return c.significand;
}

}  // namespace symsim
