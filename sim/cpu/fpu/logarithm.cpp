// SPDX-License-Identifier: MIT
// Exponential and logarithms: f2xm1, fyl2x, fyl2xp1.
#include "sim/cpu/fpu/operands.h"
#include "sim/cpu/fpu/real.h"
#include "sim/cpu/fpu/transcendental.h"

namespace symsim {
namespace {

const Real& ln_of_2() {
    static const Real value = log(Real(2));
    return value;
}

// A series is complete when its last term is not above this value.
Real negligible(const Real& sum) {
    return ldexp(Real(abs(sum)), -195);
}

// e^z - 1 for |z| < 1 by its Taylor series, which loses no bits near 0.
Real exponential_minus_one(const Real& z) {
    Real term = z, sum = z;
    for (unsigned n = 2; abs(term) > negligible(sum); ++n) {
        term *= z;
        term /= n;
        sum += term;
    }
    return sum;
}

// ln((1 + s) / (1 - s)) = 2 (s + s^3/3 + s^5/5 + ...)
Real logarithm_of_ratio(const Real& s) {
    const Real square = s * s;
    Real power = s, sum = s;
    for (unsigned n = 3; abs(power) > negligible(sum); n += 2) {
        power *= square;
        sum += power / n;
    }
    return 2 * sum;
}

// log2 of mantissa * 2^power, for a mantissa from 1 to 2.
Real log2_of(Real mantissa, int power) {
    // Scale the mantissa to about [sqrt(1/2), sqrt(2)].
    if (mantissa > 1.4142) {
        mantissa /= 2;
        ++power;
    }
    return power + logarithm_of_ratio((mantissa - 1) / (mantissa + 1)) / ln_of_2();
}

// log2 of a positive number other than a power of 2.
Real log2_of(const Unrounded& x) {
    Unrounded mantissa = x;
    mantissa.exponent = Float80::kBias;
    return log2_of(to_real(mantissa), x.exponent - Float80::kBias);
}

// log2(1 + x) for x > -1. Near 0 the series of x itself loses no bits. Beyond the range that the
// manual defines, 1 - sqrt(1/2), that series converges ever more slowly, and 1 + x is scaled first.
Real log2_of_one_plus(const Real& x) {
    if (abs(x) < 0.5) return logarithm_of_ratio(x / (x + 2)) / ln_of_2();
    int power = 0;
    const Real half = frexp(Real(1 + x), &power);
    return log2_of(2 * half, power - 1);
}

// y * n, exact before rounding. n is not 0.
Float80 multiple(Environment& env, Float80 y, int n) {
    const Unrounded u = unpack(y);
    const Wide product = Wide{high_of(u.significand)} * static_cast<unsigned>(n < 0 ? -n : n);
    return round_to_register(env, normalised(u.sign != (n < 0), u.exponent + 64, product));
}

bool is_power_of_2(const Unrounded& x) {
    return high_of(x.significand) == Float80::kIntegerBit;
}

// The result if y or the logarithm is zero or infinite. `log` is the sign of the logarithm, as -1,
// 0 or 1. False: both are neither zero nor infinite.
bool answered_at_ends(Environment& env, Float80 y, bool log_infinite, int log, Float80& result) {
    const bool sign = y.sign() != (log < 0);
    if ((y.is_infinite() && log == 0) || (y.is_zero() && log_infinite)) {
        result = invalid(env);
    } else if (y.is_infinite() || log_infinite) {
        result = Float80::infinity(sign);
    } else if (y.is_zero() || log == 0) {
        result = Float80::zero(sign);
    } else {
        return false;
    }
    return true;
}

}  // namespace

Float80 exponential(Environment& env, Float80 x) {
    Float80 result;
    if (handled_special(env, x, result)) return result;
    if (x.is_infinite()) return x.sign() ? Float80::one().negated() : x;
    if (!admits_denormals(env, x) || x.is_zero()) return x;
    const Unrounded u = unpack(x);
    if (u.exponent >= Float80::kBias) {
        if (x.absolute() != Float80::one()) return x;
        return x.sign() ? Float80::make(true, Float80::kBias - 1, Float80::kIntegerBit) : x;
    }
    const Real value = exponential_minus_one(to_real(u) * ln_of_2());
    return round_to_register(env, to_unrounded(value));
}

Float80 logarithm(Environment& env, Float80 y, Float80 x) {
    Float80 result;
    if (handled_special(env, y, x, result)) return result;
    if (x.sign() && !x.is_zero()) return invalid(env);
    if (x.is_zero() && !y.is_zero() && !y.is_infinite()) {
        env.raise(kZeroDivide);
        return Float80::infinity(!y.sign());
    }
    const int order = x == Float80::one() ? 0 : x.exponent() < Float80::kBias ? -1 : 1;
    const bool infinite = x.is_infinite() || x.is_zero();
    const bool ends = answered_at_ends(env, y, infinite, order, result);
    if (env.raised || !admits_denormals(env, y, x) || ends) return result;
    const Unrounded u = unpack(x);
    if (is_power_of_2(u)) return multiple(env, y, u.exponent - Float80::kBias);
    return round_to_register(env, to_unrounded(to_real(y) * log2_of(u)));
}

Float80 logarithm_plus_one(Environment& env, Float80 y, Float80 x) {
    Float80 result;
    if (handled_special(env, y, x, result)) return result;
    if (x.sign() && !x.is_zero() && x.exponent() >= Float80::kBias) return invalid(env);
    // The logarithm of 1 + 0 is a zero with the sign of that 0.
    if (x.is_zero() && !y.is_infinite()) {
        admits_denormals(env, y);
        return Float80::zero(x.sign() != y.sign());
    }
    const int order = x.is_zero() ? 0 : x.sign() ? -1 : 1;
    const bool ends = answered_at_ends(env, y, x.is_infinite(), order, result);
    if (env.raised || !admits_denormals(env, y, x) || ends) return result;
    return round_to_register(env, to_unrounded(to_real(y) * log2_of_one_plus(to_real(x))));
}

}  // namespace symsim
