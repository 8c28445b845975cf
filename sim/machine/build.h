// SPDX-License-Identifier: MIT
// From the config to what each part is built from.
#pragma once

#include <memory>

#include "sim/bus/bus.h"
#include "sim/cache/controller.h"
#include "sim/cache/protocol.h"
#include "sim/config/config.h"
#include "sim/cpu/core/processor.h"
#include "sim/devices/slic.h"
#include "sim/image/image.h"
#include "sim/image/image_name.h"
#include "sim/observe/window.h"

namespace symsim {

BusConfig bus_config(const Config& config);
ControllerConfig controller_config(const Config& config);
ProcessorConfig processor_config(const Config& config);
SlicConfig slic_config(const Config& config);
Isa isa(const Config& config);
// observe.window.around_value may be a name of the guest's. Throws UserError if it is none.
WindowConfig window_config(const Config& config, const Symbols& symbols);
GuestArguments guest_arguments(const Config& config);
// What guest.image or guest.rom names. Throws UserError.
Image load_guest(const Config& config);

}  // namespace symsim
