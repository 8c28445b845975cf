// SPDX-License-Identifier: MIT
// Rounding to an integer, operations on exponents, and comparison: frndint, fscale, fxtract, fcom.
#include "sim/cpu/fpu/arithmetic.h"
#include "sim/cpu/fpu/convert.h"
#include "sim/cpu/fpu/operands.h"
#include "sim/cpu/fpu/rounding.h"

namespace symsim {

Float80 round_to_integral(Environment& env, Float80 a) {
    Float80 result;
    if (handled_special(env, a, result)) return result;
    if (!admits_denormals(env, a)) return a;
    if (a.is_infinite() || a.is_zero() || a.exponent() >= Float80::kBias + 63) return a;
    bool carry = false;
    const std::uint64_t magnitude = round_to_integer(env, unpack(a), carry);
    if (carry) return Float80::make(a.sign(), Float80::kBias + 64, Float80::kIntegerBit);
    return from_magnitude(a.sign(), magnitude);
}

Float80 scale(Environment& env, Float80 a, Float80 b) {
    Float80 result;
    if (handled_special(env, a, b, result)) return result;
    if (b.is_infinite()) {
        // 0 * infinity, or infinity * 0.
        if (b.sign() ? a.is_infinite() : a.is_zero()) return invalid(env);
        if (!admits_denormals(env, a)) return a;
        return b.sign() ? Float80::zero(a.sign()) : Float80::infinity(a.sign());
    }
    if (!admits_denormals(env, a, b)) return a;
    if (a.is_infinite() || a.is_zero()) return a;
    // Unlike a factor that is chopped to 0, a 0 causes no underflow (docs/how-it-works/80387.md).
    if (b.is_zero()) return a.canonical();
    // Scale factors beyond +-2^16 all give the same result.
    constexpr int kFar = 1 << 16;
    const Unrounded y = unpack(b);
    const int bits = y.exponent - Float80::kBias;
    int power = 0;
    if (bits >= 16)
        power = kFar;
    else if (bits >= 0)
        power = static_cast<int>(high_of(y.significand) >> (63 - bits));
    Unrounded x = unpack(a);
    x.exponent += y.sign ? -power : power;
    return round_to_register(env, x);
}

Extracted extract(Environment& env, Float80 a) {
    Extracted result;
    if (handled_special(env, a, result.significand)) {
        result.exponent = result.significand;
    } else if (a.is_infinite()) {
        result = {Float80::infinity(false), a};
    } else if (a.is_zero()) {
        env.raise(kZeroDivide);
        result = {Float80::infinity(true), a};
    } else if (admits_denormals(env, a)) {
        const Unrounded x = unpack(a);
        result = {from_integer(x.exponent - Float80::kBias),
                  Float80::make(x.sign, Float80::kBias, high_of(x.significand))};
    }
    return result;
}

Ordering compare(Environment& env, Float80 a, Float80 b, NanRule rule) {
    const bool wrong = a.is_unsupported() || b.is_unsupported();
    if (wrong || a.is_nan() || b.is_nan()) {
        if (wrong || rule == NanRule::any_invalid || a.is_signalling() || b.is_signalling())
            env.raise(kInvalid);
        return Ordering::unordered;
    }
    admits_denormals(env, a, b);
    if (a.is_zero() && b.is_zero()) return Ordering::equal;
    if (a.sign() != b.sign()) return a.sign() ? Ordering::less : Ordering::greater;
    // A denormal has the weight of exponent 1. So a pseudo-denormal equals the normal number with
    // exponent 1.
    const auto magnitude = [](Float80 f) {
        const int exponent = f.exponent() == 0 && f.significand != 0 ? 1 : f.exponent();
        return wide(static_cast<std::uint64_t>(exponent), f.significand);
    };
    const Wide x = magnitude(a), y = magnitude(b);
    if (x == y) return Ordering::equal;
    return (x > y) != a.sign() ? Ordering::greater : Ordering::less;
}

}  // namespace symsim
