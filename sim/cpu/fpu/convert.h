// SPDX-License-Identifier: MIT
// Conversions between the extended format and the formats in memory: integers, single and double
// precision, packed BCD.
#pragma once

#include <array>
#include <cstdint>

#include "sim/cpu/fpu/environment.h"
#include "sim/cpu/fpu/float80.h"

namespace symsim {

// Exact conversions of integers.
Float80 from_magnitude(bool sign, std::uint64_t magnitude);
Float80 from_integer(std::int64_t value);

// A number from memory, converted exactly; a signalling NaN is still signalling. A denormal is
// normalised, so `denormal` records that it was one.
struct Widened {
    Float80 value;
    bool denormal = false;
};
Widened widen_single(std::uint32_t bits);
Widened widen_double(std::uint64_t bits);

// For fld: reports denormals and signalling NaNs, and makes the latter quiet. An unmasked invalid
// operation prevents the load; an unmasked denormal exception does not.
Float80 loaded(Environment& env, const Widened& number);

// For fst. `stores` is false if an unmasked exception leaves memory unchanged.
struct Stored {
    std::uint64_t bits = 0;
    bool stores = true;
};
Stored to_single(Environment& env, Float80 value);
Stored to_double(Environment& env, Float80 value);
// For fist: two's complement of 16, 32 or 64 bits. A value that does not fit is an invalid
// operation and gives the integer indefinite, the most negative integer.
Stored to_integer(Environment& env, Float80 value, unsigned bits);

// 18 digits, two in each byte, lowest first. The last byte contains the sign.
using PackedDecimal = std::array<std::uint8_t, 10>;
Float80 from_decimal(const PackedDecimal& digits);
PackedDecimal to_decimal(Environment& env, Float80 value);

}  // namespace symsim
