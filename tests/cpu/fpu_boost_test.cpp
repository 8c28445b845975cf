// SPDX-License-Identifier: MIT
// The 80387 against Boost.Multiprecision, on any host. Arithmetic must give the same results as
// Boost's 64-bit numbers, which are rounded to nearest. Transcendental functions must be within
// half a unit in the last place of Boost's results with 256 bits.
#include <gtest/gtest.h>

#include "sim/cpu/fpu/arithmetic.h"
#include "sim/cpu/fpu/convert.h"
#include "sim/cpu/fpu/rounding.h"
#include "sim/cpu/fpu/transcendental.h"
#include "tests/cpu/fpu_operands.h"

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace symsim::test {
namespace {

namespace mp = boost::multiprecision;
using Real64 = mp::number<mp::cpp_bin_float<64, mp::digit_base_2>, mp::et_off>;
using Real256 = mp::number<mp::cpp_bin_float<256, mp::digit_base_2>, mp::et_off>;

template <class Number>
Number to_number(Float80 f) {
    const Number magnitude = ldexp(Number(f.significand), f.exponent() - Float80::kBias - 63);
    return f.sign() ? Number(-magnitude) : magnitude;
}

// An operand far from the ends of the exponent range: Boost's numbers have no denormals.
Float80 middling(FloatOperands& operands) {
    return operands.normal(Float80::kBias - 40 + static_cast<int>(operands.below(80)));
}

template <class Expected, class Operation>
void expect_nearest(Expected expected, Operation operation) {
    FloatOperands operands(kFpuSeed);
    for (unsigned n = 0; n < 100'000; ++n) {
        const Float80 a = middling(operands), b = middling(operands);
        Environment env;
        const Float80 got = operation(env, a, b);
        const Real64 right = expected(to_number<Real64>(a), to_number<Real64>(b));
        ASSERT_EQ(to_number<Real64>(got), right)
            << std::hex << a.sign_exponent << ':' << a.significand << " , " << b.sign_exponent
            << ':' << b.significand << " seed " << std::dec << kFpuSeed;
    }
}

TEST(FpuAgainstBoost, ArithmeticIsRoundedToNearest) {
    // Boost 1.74 rounds a sum wrongly if the exponents are 65 apart and the signs differ. So sums
    // are computed with 256 bits, which are exact, and then rounded to 64.
    expect_nearest([](Real64 a, Real64 b) { return Real64(Real256(a) + Real256(b)); }, add);
    expect_nearest([](Real64 a, Real64 b) { return Real64(Real256(a) - Real256(b)); }, subtract);
    expect_nearest([](Real64 a, Real64 b) { return Real64(a * b); }, multiply);
    expect_nearest([](Real64 a, Real64 b) { return Real64(a / b); }, divide);
    expect_nearest(
        [](Real64 a, Real64) { return Real64(sqrt(abs(a))); },
        [](Environment& env, Float80 a, Float80) { return square_root(env, a.absolute()); });
}

// The 66-bit value of pi with which the 80387 reduces angles.
const Real256& chip_pi() {
    static const Real256 pi = ldexp(Real256(0xc90f'daa2'2168'c234), -62) + ldexp(Real256(3), -64);
    return pi;
}

template <class Expected, class Function>
void expect_half_a_unit(const char* name, int least, int greatest, Expected expected,
                        Function function) {
    FloatOperands operands(kFpuSeed);
    for (unsigned n = 0; n < 1'000; ++n) {
        const auto span = static_cast<unsigned>(greatest - least + 1);
        const Float80 x =
            operands.normal(Float80::kBias + least + static_cast<int>(operands.below(span)));
        Environment env;
        const Float80 got = function(env, x);
        const Real256 right = expected(to_number<Real256>(x));
        const Real256 unit = ldexp(Real256(1), got.exponent() - Float80::kBias - 63);
        const Real256 error = abs(to_number<Real256>(got) - right) / unit;
        // Half a unit, plus the precision that 256 bits lose near a multiple of pi.
        ASSERT_LE(error, Real256(0.5) + ldexp(Real256(1), -60))
            << name << ' ' << std::hex << x.sign_exponent << ':' << x.significand << " seed "
            << std::dec << kFpuSeed;
    }
}

// The angle modulo 2 pi of the chip, exactly.
Real256 reduced(const Real256& x) {
    return fmod(x, 2 * chip_pi());
}
// The sine as the chip defines it: reduces the angle by the chip's pi and takes the true sine or
// cosine of the remainder.
Real256 sine_of(const Real256& x) {
    const Real256 r = reduced(x);
    const Real256 half = chip_pi() / 2;
    const int quadrant = static_cast<int>(floor(r / half + Real256(0.5)));
    const Real256 rest = r - quadrant * half;
    switch (quadrant & 3) {
        case 0:
            return sin(rest);
        case 1:
            return cos(rest);
        case 2:
            return -sin(rest);
        default:
            return -cos(rest);
    }
}
Real256 cosine_of(const Real256& x) {
    const Real256 r = abs(reduced(x));
    const Real256 half = chip_pi() / 2;
    const int quadrant = static_cast<int>(floor(r / half + Real256(0.5)));
    const Real256 rest = r - quadrant * half;
    switch (quadrant & 3) {
        case 0:
            return cos(rest);
        case 1:
            return -sin(rest);
        case 2:
            return -cos(rest);
        default:
            return sin(rest);
    }
}

TEST(FpuAgainstBoost, TranscendentalFunctionsAreTheNearestNumber) {
    const Real256 ln2 = log(Real256(2));
    expect_half_a_unit("sin", -20, 62, sine_of, sine);
    expect_half_a_unit("cos", -20, 62, cosine_of, cosine);
    expect_half_a_unit(
        "tan", -20, 62, [](const Real256& x) { return Real256(sine_of(x) / cosine_of(x)); },
        tangent);
    expect_half_a_unit(
        "2^x - 1", -20, -1, [&](const Real256& x) { return Real256(exp(x * ln2) - 1); },
        exponential);
    expect_half_a_unit(
        "log2 x", -60, 60, [&](const Real256& x) { return Real256(log(abs(x)) / ln2); },
        [](Environment& env, Float80 x) { return logarithm(env, Float80::one(), x.absolute()); });
    expect_half_a_unit(
        "log2 (x + 1)", -20, -3, [&](const Real256& x) { return Real256(log(x + 1) / ln2); },
        [](Environment& env, Float80 x) { return logarithm_plus_one(env, Float80::one(), x); });
    expect_half_a_unit(
        "log2 (x + 1) beyond the range of the manual", -1, 60,
        [&](const Real256& x) { return Real256(log(abs(x) + 1) / ln2); },
        [](Environment& env, Float80 x) {
            return logarithm_plus_one(env, Float80::one(), x.absolute());
        });
    expect_half_a_unit(
        "atan", -40, 40, [](const Real256& x) { return Real256(atan(x)); },
        [](Environment& env, Float80 x) { return arctangent(env, x, Float80::one()); });
}

// Found by the fuzzer: the series of the logarithm hardly converges where 1 + x is huge or tiny.
TEST(FpuAgainstBoost, TheLogarithmOfOnePlusXEndsForEveryX) {
    const auto of = [](Float80 (*function)(Environment&, Float80, Float80), Float80 x) {
        Environment env;
        return function(env, Float80::one(), x);
    };
    for (const int power : {80, 1000, 16383}) {  // adding 1 changes no bit of the result
        const Float80 x = Float80::make(false, Float80::kBias + power, 3ull << 62);
        EXPECT_EQ(of(logarithm_plus_one, x), of(logarithm, x)) << power;
    }
    const Float80 almost_minus_one = Float80::make(true, Float80::kBias - 1, ~std::uint64_t{0});
    EXPECT_EQ(of(logarithm_plus_one, almost_minus_one),
              Float80::make(true, Float80::kBias + 6, Float80::kIntegerBit));  // -64
}

}  // namespace
}  // namespace symsim::test
