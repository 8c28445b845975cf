// SPDX-License-Identifier: MIT
// The keys of [monitor], the performance monitors.
#pragma once

#include <cstdint>

#include "sim/base/fields.h"

namespace symsim {

struct MonitorConfig {
    bool present = false;
    // A guess: "very expensive compared to the processor cycle time", 10 ns on the SPP 1000
    // (Steckermeier and Bellosa 1995, section 7.1.4), by hardware outside of the processor. A
    // microsecond is between that machine's accesses to local and remote memory.
    std::uint32_t read_ns = 1000;
};

template <class Visit>
void for_each_field(MonitorConfig& monitor, Visit&& visit) {
    visit("present", "", monitor.present, fits::Flag{},
          "Whether each processor has a performance monitor, which the guest can read: counts of "
          "its cache misses and stores, the time waited, the node of an address, and the lines of "
          "a range in its cache.");
    visit("read_ns", "ns", monitor.read_ns, fits::Integers{1, 100000},
          "Time of an access to a register of the performance monitor; the processor waits.");
}

}  // namespace symsim
