// SPDX-License-Identifier: MIT
// The machine that the timing tests count with: the defaults of the keys, but for the values that
// part_configs.cpp names, so that another default of these keys changes no expected time.
#pragma once

#include "sim/cache/cache_config.h"
#include "sim/cpu/state/processor_config.h"
#include "sim/devices/sync_bus.h"
#include "sim/interconnect/interconnect_config.h"
#include "sim/nodes/nodes_config.h"

namespace symsim::test {

InterconnectConfig test_bus_config();
NodeMachineConfig test_nodes_config();
// For one processor.
ControllerConfig test_controller_config();
ProcessorConfig test_processor_config();
SyncBusConfig test_sync_bus_config();

}  // namespace symsim::test
