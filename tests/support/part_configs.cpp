// SPDX-License-Identifier: MIT
#include "tests/support/part_configs.h"

#include "sim/machine/build.h"

namespace symsim::test {

namespace {

Config test_config() {
    Config config;
    config.machine.processors = 1;
    config.cache.hit_wait_clocks = 1;
    config.bus.store_completion_cycles = 7;
    config.bus.locked_request = LockedRequest::skip;
    config.bus.unlock = UnlockPolicy::cycle;
    config.memory.read_busy_cycles = config.memory.store_busy_cycles = 0;
    config.memory.latency_cycles = 4;
    config.devices.of<SyncBus>().locks = 16;
    config.run.engine = EngineKind::reference;  // without a snoop filter
    return config;
}

}  // namespace

InterconnectConfig test_bus_config() {
    return interconnect_config(test_config());
}

NodeMachineConfig test_nodes_config() {
    return nodes_config(test_config());
}

ControllerConfig test_controller_config() {
    return controller_config(test_config());
}

ProcessorConfig test_processor_config() {
    return {};
}

SyncBusConfig test_sync_bus_config() {
    return test_config().devices.of<SyncBus>();
}

}  // namespace symsim::test
