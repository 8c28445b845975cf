// SPDX-License-Identifier: MIT
// Conversions between the extended format and the formats in memory.
#include "sim/cpu/fpu/convert.h"

#include "sim/cpu/fpu/operands.h"
#include "sim/cpu/fpu/rounding.h"

namespace symsim {
namespace {

// A format in memory with `Bits` bits of significand. The highest one, the integer bit, is not
// stored.
template <int Bits, int ExponentBits>
struct Memory {
    static constexpr int kBias = (1 << (ExponentBits - 1)) - 1;
    static constexpr int kMaxExponent = (1 << ExponentBits) - 1;
    static constexpr FloatFormat kFormat = {Bits, Float80::kBias + 1 - kBias,
                                            Float80::kBias + kBias};

    static Widened widen(std::uint64_t bits) {
        const bool sign = bits >> (Bits - 1 + ExponentBits) & 1;
        const int exponent = static_cast<int>(bits >> (Bits - 1)) & kMaxExponent;
        // The significand without the integer bit.
        const std::uint64_t fraction = bits << (65 - Bits) >> 1;
        if (exponent == kMaxExponent)
            return {Float80::make(sign, Float80::kMaxExponent, Float80::kIntegerBit | fraction)};
        if (exponent != 0)
            return {Float80::make(sign, exponent - kBias + Float80::kBias,
                                  Float80::kIntegerBit | fraction)};
        if (fraction == 0) return {Float80::zero(sign)};
        const int zeros = leading_zeros(fraction);
        return {Float80::make(sign, 1 - kBias + Float80::kBias - zeros, fraction << zeros), true};
    }

    static std::uint64_t pack(bool sign, int exponent, std::uint64_t significand) {
        const std::uint64_t fraction = (significand & ~Float80::kIntegerBit) >> (64 - Bits);
        return std::uint64_t{sign} << (Bits - 1 + ExponentBits) |
               static_cast<std::uint64_t>(exponent) << (Bits - 1) | fraction;
    }

    static Stored store(Environment& env, Float80 value) {
        if (value.is_zero()) return {pack(value.sign(), 0, 0), true};
        Float80 special;
        if (value.is_infinite() || handled_special(env, value, special)) {
            if (value.is_infinite()) special = value;
            return {pack(special.sign(), kMaxExponent, special.significand), !env.refused()};
        }
        const Float80 rounded = round_to_memory(env, kFormat, unpack(value));
        if (env.raised & ~env.control & (kOverflow | kUnderflow)) return {0, false};
        int exponent = rounded.exponent() - Float80::kBias + kBias;
        if (rounded.is_infinite()) exponent = kMaxExponent;
        if (!(rounded.significand >> 63)) exponent = 0;
        return {pack(rounded.sign(), exponent, rounded.significand), true};
    }
};
using Single = Memory<24, 8>;
using Double = Memory<53, 11>;

// The largest packed decimal number.
constexpr std::uint64_t kAllNines = 999'999'999'999'999'999;

// Rounds to an integer. False: the magnitude does not fit in 64 bits, or `value` is not a number.
bool magnitude_of(Environment& env, Float80 value, std::uint64_t& magnitude) {
    magnitude = 0;
    if (value.is_zero()) return true;
    if (value.is_unsupported() || value.exponent() > Float80::kBias + 63) return false;
    bool carry = false;
    magnitude = round_to_integer(env, unpack(value), carry);
    return !carry;
}

// An invalid operation is the only exception reported.
void only_invalid(Environment& env) {
    env.raised = kInvalid;
    env.rounded_up = false;
}

}  // namespace

Float80 from_magnitude(bool sign, std::uint64_t magnitude) {
    if (magnitude == 0) return Float80::zero(sign);
    const int zeros = leading_zeros(magnitude);
    return Float80::make(sign, Float80::kBias + 63 - zeros, magnitude << zeros);
}

Float80 from_integer(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return from_magnitude(value < 0, value < 0 ? 0 - bits : bits);
}

Widened widen_single(std::uint32_t bits) {
    return Single::widen(bits);
}
Widened widen_double(std::uint64_t bits) {
    return Double::widen(bits);
}
Float80 loaded(Environment& env, const Widened& number) {
    if (number.denormal) env.raise(kDenormal);
    if (!number.value.is_nan()) return number.value;
    if (number.value.is_signalling()) env.raise(kInvalid);
    return number.value.quieted();
}
Stored to_single(Environment& env, Float80 value) {
    return Single::store(env, value);
}
Stored to_double(Environment& env, Float80 value) {
    return Double::store(env, value);
}

Stored to_integer(Environment& env, Float80 value, unsigned bits) {
    const std::uint64_t lowest = std::uint64_t{1} << (bits - 1);
    const std::uint64_t mask = lowest | (lowest - 1);
    std::uint64_t magnitude;
    if (!magnitude_of(env, value, magnitude) || magnitude > (value.sign() ? lowest : lowest - 1)) {
        only_invalid(env);
        return {lowest, !env.refused()};
    }
    return {(value.sign() ? 0 - magnitude : magnitude) & mask, true};
}

Float80 from_decimal(const PackedDecimal& digits) {
    std::uint64_t magnitude = 0;
    for (int n = 8; n >= 0; --n) {
        const unsigned pair = digits[static_cast<unsigned>(n)];
        magnitude = magnitude * 100 + (pair >> 4) * 10 + (pair & 15);
    }
    return from_magnitude(digits[9] >> 7, magnitude);
}

PackedDecimal to_decimal(Environment& env, Float80 value) {
    PackedDecimal digits{};
    std::uint64_t magnitude;
    if (!magnitude_of(env, value, magnitude) || magnitude > kAllNines) {
        only_invalid(env);
        digits[7] = 0xc0;
        digits[8] = digits[9] = 0xff;
        return digits;
    }
    for (unsigned n = 0; n < 9; ++n) {
        const unsigned pair = magnitude % 100;
        magnitude /= 100;
        digits[n] = static_cast<std::uint8_t>(pair / 10 << 4 | pair % 10);
    }
    digits[9] = value.sign() ? 0x80 : 0;
    return digits;
}

}  // namespace symsim
