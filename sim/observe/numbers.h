// SPDX-License-Identifier: MIT
// Sums and means of results, and numbers as text for the output files. What makes text uses
// integers only, so the files are the same byte for byte on every host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

template <class Numbers>
auto sum(const Numbers& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), typename Numbers::value_type{0});
}
// Statistics of time spans of one sort, such as waits for a lock.
struct Spans {
    std::uint64_t count = 0;
    Time sum = 0;
    Time longest = 0;

    // Adds a span. `begin` is kNever if it was not seen; such a span is not measured.
    void add(Time begin, Time end) {
        if (begin == kNever) return;
        ++count;
        sum += end - begin;
        longest = std::max(longest, end - begin);
    }
    Time mean() const { return symsim::mean(sum, count); }
    Spans& operator+=(const Spans& other) {
        count += other.count;
        sum += other.sum;
        longest = std::max(longest, other.longest);
        return *this;
    }
};

// part / whole in millionths, halves rounded up; 0 if `whole` is 0. Neither may be negative.
std::int64_t millionths(std::int64_t part, std::int64_t whole);
double ratio(std::int64_t part, std::int64_t whole);  // the same, as a number

// Exact: 62'500 ps is "0.0625", 100'000'000 ps is "100".
std::string us_text(Time t);
std::string hex_text(Address address);

// These write a number to `to`, where kNumberBytes must be free, and return the end of the text.
// They serve rows of many numbers.
constexpr std::size_t kNumberBytes = 32;
char* put_us(char* to, Time t);
char* put_count(char* to, std::uint64_t count);
char* put_decimal(char* to, std::uint64_t millionths);  // "0.500000"
inline char* put_millionths(char* to, std::int64_t millionths) {
    constexpr std::string_view kZero = "0.000000";  // the value of most columns in most intervals
    return millionths == 0 ? std::copy(kZero.begin(), kZero.end(), to)
                           : put_decimal(to, static_cast<std::uint64_t>(millionths));
}

}  // namespace symsim
