// SPDX-License-Identifier: MIT
// Between the extended format and what stands in memory: integers, single and double, packed BCD.
#pragma once

#include <array>
#include <cstdint>

#include "sim/cpu/fpu/environment.h"
#include "sim/cpu/fpu/float80.h"

namespace symsim {

// Exact.
Float80 from_magnitude(bool sign, std::uint64_t magnitude);
Float80 from_integer(std::int64_t value);

// A number from memory as it stands there: exact, a signalling NaN still signalling. It is
// normalised, so whether it was denormal is told apart.
struct Widened {
    Float80 value;
    bool denormal = false;
};
Widened widen_single(std::uint32_t bits);
Widened widen_double(std::uint64_t bits);

// fld: denormals and signalling NaNs are reported, the latter made quiet. Only an unmasked invalid
// operation keeps the number from being loaded, an unmasked denormal exception does not.
Float80 loaded(Environment& env, const Widened& number);

// fst. `stores`: false if an unmasked exception keeps memory as it was.
struct Stored {
    std::uint64_t bits = 0;
    bool stores = true;
};
Stored to_single(Environment& env, Float80 value);
Stored to_double(Environment& env, Float80 value);
// fist: two's complement of 16, 32 or 64 bits. What does not fit is invalid and gives the integer
// indefinite, the most negative number.
Stored to_integer(Environment& env, Float80 value, unsigned bits);

// 18 digits, two to a byte, lowest first; the last byte holds the sign.
using PackedDecimal = std::array<std::uint8_t, 10>;
Float80 from_decimal(const PackedDecimal& digits);
PackedDecimal to_decimal(Environment& env, Float80 value);

}  // namespace symsim
