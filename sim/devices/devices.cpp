// SPDX-License-Identifier: MIT
#include "sim/devices/devices.h"

namespace symsim {

std::vector<std::unique_ptr<Device>> make_devices(DeviceKeys keys, const DeviceHost& host) {
    std::vector<std::unique_ptr<Device>> devices;
    keys.for_each([&](auto& one) {
        using Of = typename std::decay_t<decltype(one)>::Of;
        if (one.keys.present) devices.push_back(std::make_unique<Of>(one.keys, host));
    });
    return devices;
}

const std::vector<DeviceKind>& device_kinds() {
    static const std::vector<DeviceKind> all = [] {
        std::vector<DeviceKind> kinds;
        DeviceKeys().for_each([&](auto& one) {
            using Of = typename std::decay_t<decltype(one)>::Of;
            kinds.push_back({Of::kText, results_of(typename Of::Report())});
        });
        return kinds;
    }();
    return all;
}

const char* device_hint(Address address) {
    for (const DeviceKind& kind : device_kinds())
        if (kind.place.contains(address)) return kind.hint;
    return "";
}

DeviceReport Device::report() const {
    return {};
}

}  // namespace symsim
