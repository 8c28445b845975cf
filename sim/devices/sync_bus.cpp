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

}  // namespace symsim
