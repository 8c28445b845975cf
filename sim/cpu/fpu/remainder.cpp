// SPDX-License-Identifier: MIT
// Partial remainder: fprem and fprem1.
#include "sim/cpu/fpu/arithmetic.h"
#include "sim/cpu/fpu/operands.h"
#include "sim/cpu/fpu/rounding.h"

namespace symsim {
namespace {

// If the exponents differ by 64 or more, one execution reduces the dividend only partially, and
// software executes the instruction again (387 manual, FPREM).
constexpr int kComplete = 64;

Float80 exact(Environment& env, bool sign, int exponent, Wide value) {
    if (value == 0) return Float80::zero(sign);
    return round_to_register(env, normalised(sign, exponent, value));
}

Remainder reduce(Environment& env, const Unrounded& a, const Unrounded& b, Quotient kind) {
    const int difference = a.exponent - b.exponent;
    const std::uint64_t divisor = high_of(b.significand);
    const std::uint64_t dividend = high_of(a.significand);
    Remainder result;
    result.numeric = true;
    if (difference >= kComplete) {
        // The manual allows a reduction by 32 to 63 bits.
        const int bits = 32 + difference % 32;
        result.partial = true;
        const Wide rest = (Wide{dividend} << bits) % divisor;
        result.value = exact(env, a.sign, a.exponent - bits + 64, rest);
        return result;
    }
    if (difference < -1 || (difference < 0 && kind == Quotient::chopped)) {
        result.value = exact(env, a.sign, a.exponent, a.significand);
        return result;
    }
    // `unit` and `whole` are in units of the last bit of a if the difference is -1, else of b.
    const Wide unit = difference < 0 ? Wide{divisor} << 1 : Wide{divisor};
    const Wide whole = Wide{dividend} << (difference > 0 ? difference : 0);
    Wide quotient = whole / unit;
    Wide rest = whole - quotient * unit;
    bool sign = a.sign;
    if (kind == Quotient::nearest && (2 * rest > unit || (2 * rest == unit && (quotient & 1)))) {
        ++quotient;
        rest = unit - rest;
        sign = !sign;
    }
    result.quotient = static_cast<std::uint8_t>(quotient & 7);
    // A zero has the sign of a.
    const int exponent = difference < 0 ? a.exponent : b.exponent;
    result.value = exact(env, rest == 0 ? a.sign : sign, exponent + 64, rest);
    return result;
}

}  // namespace

Remainder remainder(Environment& env, Float80 a, Float80 b, Quotient kind) {
    Remainder result;
    if (handled_special(env, a, b, result.value)) return result;
    if (a.is_infinite() || b.is_zero()) {
        result.value = invalid(env);
        return result;
    }
    result.value = a;
    if (!admits_denormals(env, a, b)) return result;
    result.numeric = true;
    if (a.is_zero()) return result;
    if (b.is_infinite()) {
        // No underflow, unlike where a is less than a finite b (docs/how-it-works/80387.md).
        result.value = a.canonical();
        return result;
    }
    return reduce(env, unpack(a), unpack(b), kind);
}

}  // namespace symsim
