// SPDX-License-Identifier: MIT
// Addition, subtraction, multiplication, division and square root.
#include "sim/cpu/fpu/arithmetic.h"

#include <cmath>

#include "sim/cpu/fpu/operands.h"
#include "sim/cpu/fpu/rounding.h"

namespace symsim {
namespace {

// The zero that is the exact sum of two operands with opposite signs (IEEE 754, 6.3).
Float80 zero_sum(const Environment& env) {
    return Float80::zero(env.rounding() == Rounding::down);
}

Float80 add_magnitudes(Environment& env, Unrounded a, Unrounded b) {
    if (a.exponent < b.exponent) std::swap(a, b);
    const Wide other = shifted_right(b.significand, a.exponent - b.exponent);
    const Wide sum = a.significand + other;
    if (sum < other) {
        a.significand = sum >> 1 | (sum & 1) | Wide{1} << 127;
        ++a.exponent;
    } else {
        a.significand = sum;
    }
    return round_to_register(env, env.precision(), a);
}

Float80 subtract_magnitudes(Environment& env, Unrounded a, Unrounded b) {
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand))
        std::swap(a, b);
    const Wide other = shifted_right(b.significand, a.exponent - b.exponent);
    const Wide difference = a.significand - other;
    if (difference == 0) return zero_sum(env);
    return round_to_register(env, env.precision(), normalised(a.sign, a.exponent, difference));
}

Float80 add_finite(Environment& env, Float80 a, Float80 b) {
    const Unrounded x = unpack(a), y = unpack(b);
    return x.sign == y.sign ? add_magnitudes(env, x, y) : subtract_magnitudes(env, x, y);
}

// An operand that is also the result, for example a of a + 0. It is rounded all the same.
Float80 passed_on(Environment& env, Float80 a) {
    return round_to_register(env, env.precision(), unpack(a));
}

// `b` is the operand as given, so that a NaN keeps its sign. It is negated here for a subtraction.
Float80 add_or_subtract(Environment& env, Float80 a, Float80 b, bool subtracts) {
    Float80 result;
    if (handled_special(env, a, b, result)) return result;
    if (subtracts) b = b.negated();
    if (a.is_infinite() && b.is_infinite() && a.sign() != b.sign()) return invalid(env);
    if (!admits_denormals(env, a, b)) return a;
    if (a.is_infinite()) return a;
    if (b.is_infinite()) return b;
    if (a.is_zero() && b.is_zero()) return a.sign() == b.sign() ? a : zero_sum(env);
    if (b.is_zero()) return passed_on(env, a);
    if (a.is_zero()) return passed_on(env, b);
    return add_finite(env, a, b);
}

Float80 multiply_finite(Environment& env, const Unrounded& a, const Unrounded& b) {
    const Wide product = Wide{high_of(a.significand)} * high_of(b.significand);
    // Both factors are in [1, 2), so the product's binary point is after its second bit.
    return round_to_register(
        env, env.precision(),
        normalised(a.sign != b.sign, a.exponent + b.exponent - Float80::kBias + 1, product));
}

Float80 divide_finite(Environment& env, const Unrounded& a, const Unrounded& b) {
    const std::uint64_t divisor = high_of(b.significand);
    Unrounded q{a.sign != b.sign, a.exponent - b.exponent + Float80::kBias, 0};
    Wide dividend = a.significand >> 1;
    if (high_of(a.significand) < divisor) {
        dividend = a.significand;
        --q.exponent;
    }
    const auto quotient = static_cast<std::uint64_t>(dividend / divisor);
    const auto rest = static_cast<std::uint64_t>(dividend - Wide{quotient} * divisor);
    // The next bit of the quotient, and whether there is a remainder after that bit.
    const bool half = rest >= divisor - rest;
    const bool sticky = rest != 0 && rest != divisor - rest;
    q.significand = wide(quotient, std::uint64_t{half} << 63 | sticky);
    return round_to_register(env, env.precision(), q);
}

// floor(sqrt(n)) for n >= 2^126, by Newton's iteration from above. The estimate only saves steps:
// the iteration ends at the result whatever its start.
std::uint64_t integer_root(Wide n) {
    const double estimate = std::sqrt(static_cast<double>(high_of(n))) * 4294967296.0;
    Wide root = static_cast<Wide>(estimate * (1 + 1e-15)) + 1;
    for (;;) {
        const Wide next = (root + n / root) >> 1;
        if (next >= root) return low_of(root);
        root = next;
    }
}

}  // namespace

Float80 add(Environment& env, Float80 a, Float80 b) {
    if (a.is_normal() && b.is_normal()) return add_finite(env, a, b);
    return add_or_subtract(env, a, b, false);
}

Float80 subtract(Environment& env, Float80 a, Float80 b) {
    if (a.is_normal() && b.is_normal()) return add_finite(env, a, b.negated());
    return add_or_subtract(env, a, b, true);
}

Float80 multiply(Environment& env, Float80 a, Float80 b) {
    if (a.is_normal() && b.is_normal()) return multiply_finite(env, unpack(a), unpack(b));
    Float80 result;
    if (handled_special(env, a, b, result)) return result;
    if ((a.is_infinite() && b.is_zero()) || (a.is_zero() && b.is_infinite())) return invalid(env);
    if (!admits_denormals(env, a, b)) return a;
    const bool sign = a.sign() != b.sign();
    if (a.is_infinite() || b.is_infinite()) return Float80::infinity(sign);
    if (a.is_zero() || b.is_zero()) return Float80::zero(sign);
    return multiply_finite(env, unpack(a), unpack(b));
}

Float80 divide(Environment& env, Float80 a, Float80 b) {
    if (a.is_normal() && b.is_normal()) return divide_finite(env, unpack(a), unpack(b));
    Float80 result;
    if (handled_special(env, a, b, result)) return result;
    if ((a.is_infinite() && b.is_infinite()) || (a.is_zero() && b.is_zero())) return invalid(env);
    const bool sign = a.sign() != b.sign();
    if (b.is_zero() && !a.is_infinite()) {
        env.raise(kZeroDivide);
        return Float80::infinity(sign);
    }
    if (!admits_denormals(env, a, b)) return a;
    if (a.is_infinite()) return Float80::infinity(sign);
    if (a.is_zero() || b.is_infinite()) return Float80::zero(sign);
    return divide_finite(env, unpack(a), unpack(b));
}

Float80 square_root(Environment& env, Float80 a) {
    Float80 result;
    if (handled_special(env, a, result)) return result;
    if (a.is_zero()) return a;
    if (a.sign()) return invalid(env);
    if (!admits_denormals(env, a)) return a;
    if (a.is_infinite()) return a;
    const Unrounded x = unpack(a);
    // The exponent is halved, so it is made even first. The square root of a number in
    // [1, 4) * 2^126 has 64 bits.
    const int power = x.exponent - Float80::kBias;
    const bool odd = power & 1;
    const Wide square = odd ? x.significand : x.significand >> 1;
    const std::uint64_t root = integer_root(square);
    const Wide rest = square - Wide{root} * root;
    const bool half = rest > root;  // (root + 1/2)^2 = root^2 + root + 1/4
    Unrounded y{false, (power - odd) / 2 + Float80::kBias, 0};
    y.significand = wide(root, std::uint64_t{half} << 63 | (rest != 0));
    return round_to_register(env, env.precision(), y);
}

}  // namespace symsim
