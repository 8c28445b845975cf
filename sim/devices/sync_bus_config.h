// SPDX-License-Identifier: MIT
// The keys of [sync_bus], the synchronisation bus.
#pragma once

#include <cstdint>

#include "sim/base/fields.h"

namespace symsim {

struct SyncBusConfig {
    bool present = false;
    std::uint32_t locks = 65536;
    std::uint32_t latency_ns = 1500;   // estimate: 1 to 2 us
    std::uint32_t occupancy_ns = 500;  // estimate
};

template <class Visit>
void for_each_field(SyncBusConfig& sync_bus, Visit&& visit) {
    visit("present", "", sync_bus.present, fits::Flag{},
          "Whether the machine has a synchronisation bus beside the System Bus: one-bit locks in "
          "hardware with test-and-set.");
    visit("locks", "locks", sync_bus.locks, fits::Integers{1, 1048576},
          "Number of locks of the synchronisation bus.");
    visit("latency_ns", "ns", sync_bus.latency_ns, fits::Integers{1, 100000},
          "Time of an operation, from the grant of the synchronisation bus until the processor "
          "continues.");
    visit("occupancy_ns", "ns", sync_bus.occupancy_ns, fits::Integers{1, 10000},
          "Time for which an operation occupies the synchronisation bus; others wait, first come, "
          "first served.");
}

}  // namespace symsim
