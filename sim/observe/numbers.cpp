// SPDX-License-Identifier: MIT
#include "sim/observe/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace symsim {

namespace {

constexpr std::uint32_t kMillion = 1'000'000;

// "00" to "99".
constexpr auto kPairs = [] {
    std::array<std::array<char, 2>, 100> pairs{};
    for (int n = 0; n < 100; ++n)
        pairs[n] = {static_cast<char>('0' + n / 10), static_cast<char>('0' + n % 10)};
    return pairs;
}();

// part / whole in millionths, halves rounded up, calculated with integers of type Wide.
template <class Wide>
std::int64_t scaled(Wide part, std::int64_t whole) {
    part *= kMillion;
    const auto result = static_cast<std::int64_t>(part / whole);
    const auto rest = static_cast<std::int64_t>(part - static_cast<Wide>(result) * whole);
    return rest >= whole - rest ? result + 1 : result;
}

template <class Put>
std::string as_string(Put put) {
    std::array<char, kNumberBytes> text;
    return {text.data(), put(text.data())};
}

}  // namespace

char* put_count(char* to, std::uint64_t count) {
    if (count < 10) {  // as most parts of a number before its point
        *to = static_cast<char>('0' + count);
        return to + 1;
    }
    const fmt::format_int text(count);
    return std::copy_n(text.data(), text.size(), to);
}

char* put_decimal(char* to, std::uint64_t millionths) {
    to = put_count(to, millionths / kMillion);
    *to++ = '.';
    auto rest = static_cast<std::uint32_t>(millionths % kMillion);
    for (int at = 4; at >= 0; at -= 2, rest /= 100) std::memcpy(to + at, &kPairs[rest % 100], 2);
    return to + 6;
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

std::int64_t millionths(std::int64_t part, std::int64_t whole) {
    if (whole <= 0) return 0;
    // part * 1'000'000 overflows 64 bits from nine simulated seconds on.
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / kMillion;
    return part <= kMost ? scaled<std::int64_t>(part, whole) : scaled<__int128>(part, whole);
}

double ratio(std::int64_t part, std::int64_t whole) {
    return static_cast<double>(millionths(part, whole)) / kMillion;
}

std::string hex_text(Address address) {
    return fmt::format("0x{:08x}", address);
}

}  // namespace symsim
