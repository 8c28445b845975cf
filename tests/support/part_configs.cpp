// SPDX-License-Identifier: MIT
#include "tests/support/part_configs.h"

#include "sim/config/keys.h"

namespace symsim::test {

namespace {

Config test_config() {
    Config config = default_config();
    config.machine.processors = 1;
    config.cache.hit_wait_clocks = 1;
    config.bus.store_completion_cycles = 7;
    config.bus.locked_request = LockedRequest::skip;
    config.bus.unlock = UnlockPolicy::cycle;
    config.memory.read_busy_cycles = config.memory.store_busy_cycles = 0;
    config.memory.latency_cycles = 4;
    config.run.engine = EngineKind::reference;  // without a snoop filter
    return config;
}

}  // namespace

BusConfig test_bus_config() {
    return bus_config(test_config());
}

InterconnectConfig test_crossbar_config() {
    return crossbar_config(test_config());
}

NodesConfig test_nodes_config() {
    Config config = test_config();
    config.machine.interconnect = InterconnectKind::nodes;
    return nodes_config(config);
}

ControllerConfig test_controller_config() {
    return controller_config(test_config());
}

ProcessorConfig test_processor_config() {
    return processor_config(test_config());
}

SlicConfig test_slic_config(std::uint32_t processors) {
    Config config = test_config();
    config.machine.processors = processors;
    return slic_config(config);
}

SyncBusConfig test_sync_bus_config(std::uint32_t processors) {
    Config config = test_config();
    config.machine.processors = processors;
    config.sync_bus.locks = 16;
    config.sync_bus.latency_ns = 1500;
    config.sync_bus.occupancy_ns = 500;
    return sync_bus_config(config);
}

MonitorConfig test_monitor_config(std::uint32_t processors) {
    Config config = test_config();
    config.machine.processors = processors;
    config.monitor.read_ns = 1000;
    return monitor_config(config);
}

}  // namespace symsim::test
