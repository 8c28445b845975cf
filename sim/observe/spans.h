// SPDX-License-Identifier: MIT
// Lengths of time of one sort: how many there were, all together, and the longest.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/base/time.h"

namespace symsim {

struct Spans {
    std::uint64_t count = 0;
    Time sum = 0;
    Time most = 0;

    // One that ends at `end`; where its beginning was not seen (kNever) it is not measured.
    void add(Time begin, Time end) {
        if (begin == kNever) return;
        ++count;
        sum += end - begin;
        most = std::max(most, end - begin);
    }
    Spans& operator+=(const Spans& other) {
        count += other.count;
        sum += other.sum;
        most = std::max(most, other.most);
        return *this;
    }
};

}  // namespace symsim
