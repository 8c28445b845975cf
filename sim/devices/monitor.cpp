// SPDX-License-Identifier: MIT
#include "sim/devices/monitor.h"

#include "sim/interconnect/interconnect.h"

namespace symsim {

Monitor::Monitor(const MonitorConfig& config, const DeviceHost& host)
    : Device(kText.place),
      access_time_(config.read_ns * kNanosecond),
      interconnect_(*host.interconnect),
      memory_(host.interconnect->memory()),
      asked_(host.processors) {}

DeviceReply Monitor::read(const DeviceAccess& access) {
    if (!is_dword(access)) return {};
    const auto value = [&](std::uint64_t value) {
        return DeviceReply{true, static_cast<std::uint32_t>(value), access_time_};
    };
    const PortCounts& counts = interconnect_.counts(access.processor);
    const Asked& asked = asked_[access.processor];
    switch (access.address - kBase) {
        case kCacheMisses:
            return value(counts.cache_misses);
        case kFarMisses:
            return value(counts.far_misses);
        case kStores:
            return value(counts.stores);
        case kWaited:
            return value(counts.waited / kNanosecond);
        case kNode: {
            const bool there = memory_.contains(asked.node, 1);
            return value(there ? interconnect_.node_of_address(asked.node) : kNoNode);
        }
        case kLines:
            return value(interconnect_.lines_of(access.processor, asked.range, asked.bytes));
        default:
            return {};
    }
}

DeviceReply Monitor::write(const DeviceAccess& access, std::uint32_t value) {
    if (!is_dword(access)) return {};
    Asked& asked = asked_[access.processor];
    switch (access.address - kBase) {
        case kNode:
            asked.node = value;
            break;
        case kRange:
            asked.range = value;
            break;
        case kLines:
            asked.bytes = value;
            break;
        default:
            return {};
    }
    return {true, 0, access_time_};
}

}  // namespace symsim
