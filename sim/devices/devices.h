// SPDX-License-Identifier: MIT
// All devices of the simulator. From this list come their tables of keys, the devices of a machine,
// their reports, and what a message says of a wrong access.
#pragma once

#include <memory>
#include <vector>

#include "sim/devices/console.h"
#include "sim/devices/missing_calls.h"
#include "sim/devices/monitor.h"
#include "sim/devices/results.h"
#include "sim/devices/slic.h"
#include "sim/devices/sync_bus.h"

namespace symsim {

template <class Device>
struct KeysOf {
    using Of = Device;
    static const char* name() { return Device::kText.name; }
    typename Device::Keys keys;
};
template <class... Each>
struct DeviceList : KeysOf<Each>... {
    template <class Device>
    typename Device::Keys& of() {
        return KeysOf<Device>::keys;
    }
    template <class Visit>
    void for_each(Visit&& visit) {
        (visit(static_cast<KeysOf<Each>&>(*this)), ...);
    }
};

// The keys of all devices, in the order of their tables and reports. A new device is a line here,
// and its include.
using DeviceKeys = DeviceList<Slic,         //
                              SyncBus,      //
                              Monitor,      //
                              Console,      //
                              ResultsPort,  //
                              Power,        //
                              PostPort,     //
                              OutputPort,   //
                              MissingCalls>;

// The devices that a machine with these keys has.
std::vector<std::unique_ptr<Device>> make_devices(DeviceKeys keys, const DeviceHost& host);

struct DeviceKind : DeviceText {
    Results results;  // what it reports, without values
};
const std::vector<DeviceKind>& device_kinds();

}  // namespace symsim
