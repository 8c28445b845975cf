// SPDX-License-Identifier: MIT
// What an interconnect counts for each of its ports: a processor's performance monitor reads it
// (sim/devices/monitor.h). An interconnect counts at its own events, in order of time, so nothing
// speculative is counted.
#pragma once

#include <cstdint>

#include "sim/base/time.h"

namespace symsim {

struct PortCounts {
    // Granted reads and fetches of memory, with read_exclusive and locked_read.
    std::uint64_t cache_misses = 0;
    // Those of them that neither the memory nor the network cache of the port's own node could
    // serve. An interconnect without nodes has none.
    std::uint64_t far_misses = 0;
    // Transactions that carry a store to memory, or take ownership of a line for one: store,
    // locked_store, read_exclusive, upgrade.
    std::uint64_t stores = 0;
    // From the posting of each request to the arrival of its data; of a request without a reply,
    // to its grant. Requests of one port overlap, so the sum may exceed elapsed time.
    Time waited = 0;
};

}  // namespace symsim
