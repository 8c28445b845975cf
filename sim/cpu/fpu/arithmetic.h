// SPDX-License-Identifier: MIT
// The 80387's arithmetic on numbers in the extended format; the handlers in
// sim/cpu/execute/float_*.cpp call it. Each function takes precision, rounding and masks from the
// Environment and records exceptions there. If Environment::refused() is true afterwards, the
// returned value is meaningless.
#pragma once

#include "sim/cpu/fpu/environment.h"
#include "sim/cpu/fpu/float80.h"

namespace symsim {

Float80 add(Environment& env, Float80 a, Float80 b);
Float80 subtract(Environment& env, Float80 a, Float80 b);
Float80 multiply(Environment& env, Float80 a, Float80 b);
Float80 divide(Environment& env, Float80 a, Float80 b);
Float80 square_root(Environment& env, Float80 a);

// a - b * quotient. fprem chops the quotient, fprem1 rounds it to nearest.
struct Remainder {
    Float80 value;
    bool numeric = false;       // there is a quotient; false: invalid operation, or a NaN
    bool partial = false;       // C2: the reduction is incomplete
    std::uint8_t quotient = 0;  // its lowest three bits, if the reduction is complete
};
enum class Quotient : std::uint8_t { chopped, nearest };
Remainder remainder(Environment& env, Float80 a, Float80 b, Quotient kind);

Float80 round_to_integral(Environment& env, Float80 a);
// a * 2^chop(b)
Float80 scale(Environment& env, Float80 a, Float80 b);
struct Extracted {
    Float80 exponent;
    Float80 significand;
};
Extracted extract(Environment& env, Float80 a);

enum class Ordering : std::uint8_t { greater, less, equal, unordered };
// fcom and ftst: any NaN is an invalid operand. fucom: only a signalling NaN.
enum class NanRule : std::uint8_t { any_invalid, signalling_invalid };
Ordering compare(Environment& env, Float80 a, Float80 b, NanRule rule);

}  // namespace symsim
