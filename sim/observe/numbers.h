// SPDX-License-Identifier: MIT
// Numbers as text. Integers all the way, so that a file is the same byte for byte on any host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

// Exact: 62'500 ps is "0.0625", 100'000'000 ps is "100".
std::string us_text(Time t);

// part / whole to six decimals, halves rounded up; 0 if the whole is 0. Neither is negative.
std::int64_t millionths(std::int64_t part, std::int64_t whole);
std::string ratio_text(std::int64_t part, std::int64_t whole);
double ratio(std::int64_t part, std::int64_t whole);

// The mean to the nearest picosecond, halves rounded up; 0 if nothing was counted.
Time mean(Time sum, std::uint64_t count);

// The same for rows of many numbers: written to `to`, where there is room for kNumberBytes. Return
// the end of the text.
constexpr std::size_t kNumberBytes = 32;
char* put_us(char* to, Time t);
char* put_ratio(char* to, std::int64_t part, std::int64_t whole);
char* put_count(char* to, std::uint64_t count);

std::string hex_text(Address address);

}  // namespace symsim
