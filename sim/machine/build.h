// SPDX-License-Identifier: MIT
// What parts of the machine are built from, where that is more than one table of the config; and
// the guest's image.
#pragma once

#include <memory>
#include <vector>

#include "sim/base/observer.h"
#include "sim/config/config.h"
#include "sim/cpu/state/schedule.h"
#include "sim/image/image.h"
#include "sim/interconnect/device_space.h"
#include "sim/interconnect/interconnect.h"
#include "sim/interconnect/interconnect_config.h"
#include "sim/interconnect/named_resource.h"
#include "sim/observe/observe_config.h"

namespace symsim {

InterconnectConfig interconnect_config(const Config& config);
NodeMachineConfig nodes_config(const Config& config);
std::unique_ptr<Interconnect> make_interconnect(const Config& config, Memory& memory,
                                                CodePageWatch& code, DeviceSpace& devices,
                                                Observer& observer);
// The number of its resources (BusUse::resource).
unsigned interconnect_resources(const Config& config);
// What they are, on a machine of nodes; else empty.
ResourceTable interconnect_table(const Config& config);
Topology topology(const Config& config);
ControllerConfig controller_config(const Config& config);
// The schedule of each processor: schedule.* and preempt.*. With `keeps_counting` each has one,
// which stays active to the end of the run.
std::vector<Schedule> schedules(const Config& config, bool keeps_counting = false);
// observe.window.around_value may be a number or a symbol of the guest. Throws UserError if it is
// neither.
WindowConfig window_config(const Config& config, const Symbols& symbols);
// Loads the image that guest.image or guest.rom names. Throws UserError.
Image load_guest(const Config& config);

// Whether processors report calls and returns: for the profile of a Linux program, whose functions
// have no frames.
bool reports_calls(const Config& config, const Image& image);

}  // namespace symsim
