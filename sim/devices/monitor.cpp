// SPDX-License-Identifier: MIT
#include "sim/devices/monitor.h"

namespace symsim {

namespace {
constexpr Time kNanosecond = kMicrosecond / 1000;
}  // namespace

Monitor::Monitor(const MonitorConfig& config, Interconnect& interconnect)
    : access_time_(config.access_time),
      interconnect_(interconnect),
      memory_(interconnect.memory()),
      asked_(config.processors) {}

std::uint32_t Monitor::value(ProcessorId processor, Address address) const {
    const PortCounts& counts = interconnect_.counts(processor);
    switch (address - kBase) {
        case kCacheMisses:
            return static_cast<std::uint32_t>(counts.cache_misses);
        case kFarMisses:
            return static_cast<std::uint32_t>(counts.far_misses);
        case kStores:
            return static_cast<std::uint32_t>(counts.stores);
        case kWaited:
            return static_cast<std::uint32_t>(counts.waited / kNanosecond);
        default:
            return memory_.contains(asked_[processor], 1)
                       ? interconnect_.node_of_address(asked_[processor])
                       : kNoNode;
    }
}

TimedDevice::Reply Monitor::read(ProcessorId processor, Address address, Time at) {
    return {value(processor, address), at + access_time_};
}

TimedDevice::Reply Monitor::write(ProcessorId processor, Address, std::uint32_t value, Time at) {
    asked_[processor] = value;
    return {0, at + access_time_};
}

}  // namespace symsim
