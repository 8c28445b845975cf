// SPDX-License-Identifier: MIT
// Spans: statistics of time spans of one sort, such as waits for a lock. It has their number, their
// sum and the longest.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/base/time.h"
#include "sim/observe/numbers.h"

namespace symsim {

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

}  // namespace symsim
