// SPDX-License-Identifier: MIT
// Real: a floating-point number with 192 bits of significand, for computing transcendental
// functions.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>

#include "sim/cpu/fpu/rounding.h"

namespace symsim {

using Real = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<192, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

inline Real to_real(const Unrounded& u) {
    const Real magnitude = ldexp(Real(high_of(u.significand)), u.exponent - Float80::kBias - 63);
    return u.sign ? Real(-magnitude) : magnitude;
}
inline Real to_real(Float80 f) {
    return f.is_zero() ? Real(0) : to_real(unpack(f));
}

// Only for an irrational result other than zero: the bits after its first 128 are not all zero, so
// the lowest bit is set as the sticky bit.
inline Unrounded to_unrounded(const Real& value) {
    int exponent = 0;
    const Real fraction = frexp(Real(abs(value)), &exponent);
    const auto bits = static_cast<boost::multiprecision::uint128_t>(ldexp(fraction, 128));
    const auto high = static_cast<std::uint64_t>(bits >> 64);
    const auto low = static_cast<std::uint64_t>(bits & ~std::uint64_t{0});
    return {value < 0, exponent - 1 + Float80::kBias, wide(high, low | 1)};
}

// The closest value to `u` that rounding can distinguish: just_below() nearer to zero, just_above()
// farther from zero.
inline Unrounded just_below(const Unrounded& u) {
    Unrounded below = normalised(u.sign, u.exponent, u.significand - 1);
    below.significand |= 1;
    return below;
}
inline Unrounded just_above(Unrounded u) {
    u.significand |= 1;
    return u;
}

}  // namespace symsim
