// SPDX-License-Identifier: MIT
// How far a lock travelled: counts of handoffs, from who released it to who acquired it next.
#pragma once

#include <cstdint>

#include "sim/observe/numbers.h"

namespace symsim {

struct Handoffs {
    std::uint64_t count = 0;
    std::uint64_t own_processor = 0;  // of count: the processor had released it itself
    std::uint64_t own_node = 0;       // another processor of the node had
    std::uint64_t links = 0;          // from the one's node to the other's: sum

    std::uint64_t other_nodes() const { return count - own_processor - own_node; }
    // Per handoff; 0 if there was none. With six decimals, as other ratios.
    double mean_links() const {
        return ratio(static_cast<std::int64_t>(links), static_cast<std::int64_t>(count));
    }
    Handoffs& operator+=(const Handoffs& other) {
        count += other.count;
        own_processor += other.own_processor;
        own_node += other.own_node;
        links += other.links;
        return *this;
    }
};

}  // namespace symsim
