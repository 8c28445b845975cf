// SPDX-License-Identifier: MIT
// The 80387's arithmetic on extended numbers. Each function is told precision, rounding and masks
// by the environment and leaves its exceptions there; if Environment::refused() then, what it
// returns means nothing.
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
    bool numeric = false;       // there is a quotient; else invalid, or a NaN
    bool partial = false;       // status bit C2: only part of the quotient is off yet
    std::uint8_t quotient = 0;  // its lowest three bits, if complete
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
// fcom, ftst: any NaN is an invalid operand. fucom: only a signalling one.
enum class NanRule : std::uint8_t { any_invalid, signalling_invalid };
Ordering compare(Environment& env, Float80 a, Float80 b, NanRule rule);

}  // namespace symsim
