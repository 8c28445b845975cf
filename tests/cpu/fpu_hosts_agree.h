// SPDX-License-Identifier: MIT
// Where the x87 of every host gives the same answer, so that a test may compare with it. AMD's and
// Intel's processors differ elsewhere (docs/how-it-works/80387.md, "Where hosts differ"). There
// fpu_vectors_test.cpp compares with results that come from no host.
#pragma once

#include "sim/cpu/fpu/environment.h"
#include "sim/cpu/fpu/rounding.h"

namespace symsim::test {

inline bool is_finite(Float80 f) {
    return !f.is_unsupported() && f.exponent() != Float80::kMaxExponent;
}

// With underflow unmasked, Intel passes a denormal on and AMD reports an underflow if the scale
// factor is 0.
inline bool hosts_agree_on_scale(std::uint16_t control, Float80 a) {
    return control & kUnderflow || !a.is_denormal();
}

// The same holds for a remainder if the divisor is infinite. The manual leaves open how far one
// execution reduces exponents that are 64 or more apart. A remainder is a multiple of the last bit
// of an operand: it is not tiny if both exponents are 64 or more.
inline bool hosts_agree_on_remainder(std::uint16_t control, Float80 a, Float80 b) {
    if (!is_finite(a) || a.is_zero() || b.is_zero()) return true;
    const bool tiny = a.exponent() < 64 || b.exponent() < 64;
    if (tiny && !(control & kUnderflow)) return false;
    return !is_finite(b) || unpack(a).exponent - unpack(b).exponent < 64;
}

// `second` is the opcode's second byte, after d9. Excluded are denormals, operands whose result may
// be out of range, and operands that the manual does not allow.
inline bool hosts_agree_on_transcendental(std::uint8_t second, Float80 st0, Float80 st1) {
    constexpr int kFar = 8000;  // of no two such numbers is y * log2(x) or y / x out of range
    const auto agreed = [](Float80 f) {
        const int power = f.exponent() - Float80::kBias;
        return !is_finite(f) || f.is_zero() || (f.is_normal() && power >= -kFar && power <= kFar);
    };
    if (!agreed(st0) || !agreed(st1)) return false;
    if (st0.is_nan() || st0.is_unsupported()) return true;
    constexpr std::uint8_t kF2xm1 = 0xf0, kFyl2xp1 = 0xf9;
    if (second == kF2xm1) return st0.exponent() < Float80::kBias;
    if (second == kFyl2xp1) return st0.exponent() < Float80::kBias - 2;  // 1/4 < 1 - sqrt(1/2)
    return true;
}

}  // namespace symsim::test
