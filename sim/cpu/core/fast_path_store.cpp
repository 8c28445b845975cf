// SPDX-License-Identifier: MIT
// The two ways a fast-path instruction stores: into a line of its own cache, and over the bus.
#include "sim/cpu/core/fast_path_store.h"

namespace symsim {

// The store costs a hit.
[[gnu::noinline]] void FastPathRun::store_in_line(const Op& op, Line& line, Bytes bytes,
                                                  std::uint32_t value, Time time) {
    const AccessTime when = access_time(time + stores_from(op));
    cache_.store_in_line(line, bytes.address, bytes.size, when, value);
    core_.changed();
    core_.complete();
    time += cache_.hit_wait() + core_.clock.cycles(op.clocks);
    op.next->fast(static_cast<Processor&>(*this), *op.next, time);
}

[[gnu::noinline]] void FastPathRun::enqueue_store(const Op& op, Address address, unsigned size,
                                                  std::uint32_t value, Time time) {
    const AccessTime when = access_time(time + stores_from(op));
    cache_.buffer_store(address, size, when, value);
    core_.complete();
    time += core_.clock.cycles(op.clocks);
    if (!when.committed) core_.posted_ahead(when.at);
    if (time >= core_.limit) return reach_limit(*op.next, time);
    op.next->fast(static_cast<Processor&>(*this), *op.next, time);
}

}  // namespace symsim
