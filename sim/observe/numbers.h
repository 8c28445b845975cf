// SPDX-License-Identifier: MIT
// Formats numbers as text for the output files. The functions that make text use integers only, so
// the files are the same byte for byte on every host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

// Exact: 62'500 ps is "0.0625", 100'000'000 ps is "100".
std::string us_text(Time t);

// part / whole in millionths, halves rounded up; 0 if `whole` is 0. Neither may be negative.
std::int64_t millionths(std::int64_t part, std::int64_t whole);
double ratio(std::int64_t part, std::int64_t whole);  // the same, as a number

// These write a number to `to`, where kNumberBytes must be free, and return the end of the text.
// They serve rows of many numbers.
constexpr std::size_t kNumberBytes = 32;
char* put_us(char* to, Time t);
char* put_millionths(char* to, std::int64_t millionths);  // "0.500000"
char* put_count(char* to, std::uint64_t count);

std::string hex_text(Address address);

}  // namespace symsim
