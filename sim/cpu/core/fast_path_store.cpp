// SPDX-License-Identifier: MIT
// The two ways a fast-path instruction stores: into a line of its own cache, and over the bus.
#include "sim/cpu/core/fast_path_store.h"

namespace symsim {

// The store costs a hit. changed(): a loop with a store does not repeat with the same state.
[[gnu::noinline]] void FastPathRun::store_in_line(Processor& cpu, const Op& op, Line& line,
                                                  Bytes bytes, std::uint32_t value, Time time) {
    const AccessTime when = cpu.access_time(time + cpu.stores_from(op));
    cpu.cache_.store_in_line(line, bytes.address, bytes.size, when, value);
    cpu.changed();
    complete(cpu);
    time += cpu.cache_.hit_wait() + cpu.clock_.cycles(op.clocks);
    op.next->fast(cpu, *op.next, time);
}

[[gnu::noinline]] void FastPathRun::enqueue_store(Processor& cpu, const Op& op, Address address,
                                                  unsigned size, std::uint32_t value, Time time) {
    const AccessTime when = cpu.access_time(time + cpu.stores_from(op));
    cpu.cache_.buffer_store(address, size, when, value);
    complete(cpu);
    time += cpu.clock_.cycles(op.clocks);
    if (!when.committed) cpu.posted_ahead(when.at);
    if (time >= cpu.limit_) return reach_limit(cpu, *op.next, time);
    op.next->fast(cpu, *op.next, time);
}

}  // namespace symsim
