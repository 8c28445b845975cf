// SPDX-License-Identifier: MIT
#include "sim/observe/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace symsim {

namespace {

constexpr std::uint32_t kMillion = 1'000'000;

// Writes a number below a million with six digits.
char* put_six(char* to, std::uint32_t number) {
    for (int digit = 6; digit-- > 0; number /= 10) to[digit] = static_cast<char>('0' + number % 10);
    return to + 6;
}

// Writes a number of millionths as a decimal fraction with six decimals.
char* put_decimal(char* to, std::uint64_t millionths) {
    to = put_count(to, millionths / kMillion);
    *to++ = '.';
    return put_six(to, static_cast<std::uint32_t>(millionths % kMillion));
}

template <class Put>
std::string as_string(Put put) {
    std::array<char, kNumberBytes> text;
    return {text.data(), put(text.data())};
}

}  // namespace

char* put_count(char* to, std::uint64_t count) {
    const fmt::format_int text(count);
    return std::copy_n(text.data(), text.size(), to);
}

char* put_us(char* to, Time t) {
    if (t < 0) *to++ = '-';
    const std::uint64_t ps = t < 0 ? -static_cast<std::uint64_t>(t) : static_cast<std::uint64_t>(t);
    if (ps % kMicrosecond == 0) return put_count(to, ps / kMicrosecond);
    char* end = put_decimal(to, ps);
    while (end[-1] == '0') --end;
    return end;
}

std::string us_text(Time t) {
    return as_string([=](char* to) { return put_us(to, t); });
}

// Calculates in 128 bits: part * 1'000'000 overflows 64 bits from nine simulated seconds on.
std::int64_t millionths(std::int64_t part, std::int64_t whole) {
    if (whole <= 0) return 0;
    const auto scaled = static_cast<__int128>(part) * 1'000'000;
    const auto result = static_cast<std::int64_t>(scaled / whole);
    const auto rest = static_cast<std::int64_t>(scaled - static_cast<__int128>(result) * whole);
    return rest >= whole - rest ? result + 1 : result;
}

char* put_millionths(char* to, std::int64_t millionths) {
    constexpr std::string_view kZero = "0.000000";  // the value of most columns in most intervals
    if (millionths == 0) return std::copy(kZero.begin(), kZero.end(), to);
    return put_decimal(to, static_cast<std::uint64_t>(millionths));
}

double ratio(std::int64_t part, std::int64_t whole) {
    return static_cast<double>(millionths(part, whole)) / kMillion;
}

std::string hex_text(Address address) {
    return fmt::format("0x{:08x}", address);
}

}  // namespace symsim
