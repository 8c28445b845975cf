// SPDX-License-Identifier: MIT
#include "sim/devices/sync_bus.h"

#include <algorithm>

namespace symsim {

SyncBus::SyncBus(const SyncBusConfig& config, std::uint32_t processors)
    : latency_(config.latency_ns * kNanosecond),
      occupancy_(config.occupancy_ns * kNanosecond),
      bits_(config.locks),
      counts_(processors) {}

Time SyncBus::grant(Counts& counts, Time at) {
    const Time granted = std::max(at, free_at_);
    free_at_ = granted + occupancy_;
    counts.wait += granted - at;
    counts.max_wait = std::max(counts.max_wait, granted - at);
    return granted;
}

TimedDevice::Reply SyncBus::test_and_set(ProcessorId processor, Address address, Time at) {
    Counts& counts = counts_[processor];
    ++counts.test_and_sets;
    const std::uint8_t before = bit(address);
    if (before != 0) ++counts.failed;
    bit(address) = 1;
    return {before, grant(counts, at) + latency_};
}

TimedDevice::Reply SyncBus::write(ProcessorId processor, Address address, std::uint32_t value,
                                  Time at) {
    Counts& counts = counts_[processor];
    ++counts.writes;
    bit(address) = value != 0 ? 1 : 0;
    return {0, grant(counts, at) + latency_};
}

void SyncBus::check_loaded(Time at) const {
    require(std::all_of(bits_.begin(), bits_.end(), [](std::uint8_t bit) { return bit <= 1; }),
            "a lock of its synchronisation bus is neither 0 nor 1");
    const Time latest = at + static_cast<Time>(counts_.size()) * occupancy_;
    require(free_at_ >= 0 && free_at_ <= latest, "the synchronisation bus is free at {} ps",
            free_at_);
    for (const Counts& counts : counts_)
        require(counts.failed <= counts.test_and_sets && counts.max_wait >= 0 &&
                    counts.wait >= counts.max_wait,
                "{} of {} test-and-sets have failed, after waits of {} ps", counts.failed,
                counts.test_and_sets, counts.wait);
}

}  // namespace symsim
