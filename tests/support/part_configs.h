// SPDX-License-Identifier: MIT
// The machine that the timing tests count with: the defaults of the keys, but for the values that
// part_configs.cpp names, so that another default of these keys changes no expected time.
#pragma once

#include "sim/machine/build.h"

namespace symsim::test {

BusConfig test_bus_config();
InterconnectConfig test_crossbar_config();
NodesConfig test_nodes_config();
// For one processor.
ControllerConfig test_controller_config();
ProcessorConfig test_processor_config();
SlicConfig test_slic_config(std::uint32_t processors);
SyncBusConfig test_sync_bus_config(std::uint32_t processors);
MonitorConfig test_monitor_config(std::uint32_t processors);

}  // namespace symsim::test
