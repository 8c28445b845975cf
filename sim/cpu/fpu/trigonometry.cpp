// SPDX-License-Identifier: MIT
// Trigonometric functions: fsin, fcos, fsincos, fptan, fpatan.
#include "sim/cpu/fpu/operands.h"
#include "sim/cpu/fpu/real.h"
#include "sim/cpu/fpu/transcendental.h"

namespace symsim {
namespace {

constexpr int kTooLarge = Float80::kBias + 63;  // exponent of 2^63

// If |x| < 2^-62, sin x and tan x equal x to 125 bits.
constexpr int kSmall = -62;

// The chip reduces angles by a pi of 66 bits, 4 * 0.c90fdaa22168c234c (Intel's manuals, "Pi"). So
// near multiples of the true pi, its results are those of another angle. reduce() uses the same
// number and is exact: pi/2 is kHalfPi * 2^-65.
constexpr Wide kHalfPi = (Wide{0xc90f'daa2'2168'c234} << 2) | 3;

struct Reduced {
    unsigned quadrant;
    Unrounded angle;  // in [-pi/4, pi/4]; only an angle of 0 reduces to 0, and reduce() gets none
};

Reduced reduce(const Unrounded& x) {
    // An angle below 1/2 needs no reduction.
    if (x.exponent < Float80::kBias - 1) return {0, x};
    const int power = x.exponent - Float80::kBias;
    const Wide value = Wide{high_of(x.significand)} << (power + 2);  // in units of 2^-65
    Wide quotient = value / kHalfPi;
    Wide rest = value - quotient * kHalfPi;
    bool sign = x.sign;
    if (2 * rest > kHalfPi) {
        ++quotient;
        rest = kHalfPi - rest;
        sign = !sign;
    }
    const unsigned turns = static_cast<unsigned>(quotient & 3);
    return {x.sign ? (0 - turns) & 3 : turns, normalised(sign, Float80::kBias + 127 - 65, rest)};
}

// Uses the whole significand, unlike to_real(): a reduced angle needs 65 bits of it.
Real angle_of(const Unrounded& u) {
    const Real high = ldexp(Real(high_of(u.significand)), u.exponent - Float80::kBias - 63);
    const Real low = ldexp(Real(low_of(u.significand)), u.exponent - Float80::kBias - 127);
    return u.sign ? Real(-(high + low)) : Real(high + low);
}

bool small(const Unrounded& u) {
    return u.exponent - Float80::kBias < kSmall;
}

Unrounded sine_of(const Unrounded& angle) {
    return small(angle) ? just_below(angle) : to_unrounded(sin(angle_of(angle)));
}
Unrounded cosine_of(const Unrounded& angle) {
    if (small(angle)) return just_below({false, Float80::kBias, wide(Float80::kIntegerBit, 0)});
    return to_unrounded(cos(angle_of(angle)));
}

// True: `result` is the result, and nothing needs to be computed.
bool answered_angle(Environment& env, Float80 x, Float80& result) {
    if (handled_special(env, x, result)) return true;
    if (!x.is_infinite()) {
        result = x;
        return !admits_denormals(env, x);
    }
    result = invalid(env);
    return true;
}

// The sine of x plus `quarters` quarter turns. The cosine is the sine one quarter turn further.
Float80 circular(Environment& env, Float80 x, unsigned quarters) {
    const Reduced reduced = reduce(unpack(x));
    const unsigned quadrant = (reduced.quadrant + quarters) & 3;
    Unrounded value = quadrant & 1 ? cosine_of(reduced.angle) : sine_of(reduced.angle);
    if (quadrant & 2) value.sign = !value.sign;
    return round_to_register(env, value);
}

const Real& pi() {
    static const Real value = 4 * atan(Real(1));
    return value;
}

// n * pi / 4
Float80 eighth_turns(Environment& env, bool sign, unsigned n) {
    Unrounded value = to_unrounded(pi() * n / 4);
    value.sign = sign;
    return round_to_register(env, value);
}

// The arctangent of a ratio up to 1.
Real small_arctangent(const Real& ratio) {
    if (ratio > ldexp(Real(1), -60)) return atan(ratio);
    return ratio - ratio * ratio * ratio / 3;
}

}  // namespace

bool angle_out_of_range(Float80 x) {
    return !x.is_unsupported() && x.exponent() >= kTooLarge &&
           x.exponent() != Float80::kMaxExponent;
}

Float80 sine(Environment& env, Float80 x) {
    Float80 result;
    if (answered_angle(env, x, result) || x.is_zero()) return result;
    return circular(env, x, 0);
}

Float80 cosine(Environment& env, Float80 x) {
    Float80 result;
    if (answered_angle(env, x, result)) return result;
    if (x.is_zero()) return Float80::one();
    return circular(env, x, 1);
}

Float80 tangent(Environment& env, Float80 x) {
    Float80 result;
    if (answered_angle(env, x, result) || x.is_zero()) return result;
    const Reduced reduced = reduce(unpack(x));
    if (!(reduced.quadrant & 1) && small(reduced.angle))
        return round_to_register(env, just_above(reduced.angle));
    const Real angle = angle_of(reduced.angle);
    const Real s = sin(angle), c = cos(angle);
    return round_to_register(env, to_unrounded(reduced.quadrant & 1 ? Real(-c / s) : Real(s / c)));
}

Float80 arctangent(Environment& env, Float80 y, Float80 x) {
    Float80 result;
    if (handled_special(env, y, x, result)) return result;
    const bool sign = y.sign();
    if (!admits_denormals(env, y, x)) return result;
    if (y.is_infinite()) return eighth_turns(env, sign, !x.is_infinite() ? 2 : x.sign() ? 3 : 1);
    if (x.is_infinite() || y.is_zero())
        return x.sign() ? eighth_turns(env, sign, 4) : Float80::zero(sign);
    if (x.is_zero()) return eighth_turns(env, sign, 2);
    const Real up = abs(to_real(y)), along = abs(to_real(x));
    Unrounded angle;
    if (up > along) {
        const Real rest = small_arctangent(along / up);
        angle = to_unrounded(x.sign() ? Real(pi() / 2 + rest) : Real(pi() / 2 - rest));
    } else if (x.sign()) {
        angle = to_unrounded(pi() - small_arctangent(up / along));
    } else {
        const Real ratio = up / along;
        const Real value = small_arctangent(ratio);
        angle = to_unrounded(value);
        // The ratio is exact and so small that its arctangent does not differ from it in 192 bits.
        if (value == ratio && ratio * along == up) {
            --angle.significand;  // clears the sticky bit
            angle = just_below(angle);
        }
    }
    angle.sign = sign;
    return round_to_register(env, angle);
}

}  // namespace symsim
