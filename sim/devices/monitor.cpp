// SPDX-License-Identifier: MIT
#include "sim/devices/monitor.h"

namespace symsim {

Monitor::Monitor(const MonitorConfig& config, std::uint32_t processors, Interconnect& interconnect)
    : access_time_(config.read_ns * kNanosecond),
      interconnect_(interconnect),
      memory_(interconnect.memory()),
      asked_(processors) {}

std::uint32_t Monitor::value(ProcessorId processor, Address address) const {
    const PortCounts& counts = interconnect_.counts(processor);
    const Asked& asked = asked_[processor];
    switch (address - kBase) {
        case kCacheMisses:
            return static_cast<std::uint32_t>(counts.cache_misses);
        case kFarMisses:
            return static_cast<std::uint32_t>(counts.far_misses);
        case kStores:
            return static_cast<std::uint32_t>(counts.stores);
        case kWaited:
            return static_cast<std::uint32_t>(counts.waited / kNanosecond);
        case kLines:
            return interconnect_.lines_of(processor, asked.range, asked.bytes);
        default:
            return memory_.contains(asked.node, 1) ? interconnect_.node_of_address(asked.node)
                                                   : kNoNode;
    }
}

TimedDevice::Reply Monitor::read(ProcessorId processor, Address address, Time at) {
    return {value(processor, address), at + access_time_};
}

TimedDevice::Reply Monitor::write(ProcessorId processor, Address address, std::uint32_t value,
                                  Time at) {
    Asked& asked = asked_[processor];
    switch (address - kBase) {
        case kRange:
            asked.range = value;
            break;
        case kLines:
            asked.bytes = value;
            break;
        default:
            asked.node = value;
    }
    return {0, at + access_time_};
}

}  // namespace symsim
