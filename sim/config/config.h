// SPDX-License-Identifier: MIT
// A run's configuration: TOML text to plain structs. Each table of keys is a struct of the part
// that it is about. The struct's list of fields, beside it, declares its keys (sim/base/fields.h).
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sim/cache/cache_config.h"
#include "sim/config/run_config.h"
#include "sim/cpu/state/processor_config.h"
#include "sim/devices/devices.h"
#include "sim/image/image_name.h"
#include "sim/interconnect/interconnect_config.h"
#include "sim/nodes/nodes_config.h"
#include "sim/observe/observe_config.h"

namespace symsim {

struct Config {
    std::vector<std::filesystem::path> files;  // that it was read from: the config and its bases

    MachineConfig machine;
    ProcessorConfig processor;
    CacheConfig cache;
    BusConfig bus;
    MemoryConfig memory;
    NodesConfig nodes;
    DeviceKeys devices;
    SubPageConfig sub_page;
    PreemptConfig preempt;
    ScheduleConfig schedule;
    GuestConfig guest;
    RunConfig run;
    ObserveConfig observe;

    // A value as TOML text, and as the bare text that the guest is given.
    struct Value {
        std::string toml;
        std::string text;
    };
    std::vector<std::pair<std::string, Value>> guest_args;  // sorted by name
};

// The tables in the order in which they are shown, each with its name, and whether the files of a
// run have its keys. Other runs' files equal those of a symsim without these keys.
template <class Visit>
void for_each_table(Config& config, Visit&& visit) {
    visit("machine", config.machine, true);
    visit("processor", config.processor, true);
    visit("cache", config.cache, true);
    visit("bus", config.bus, true);
    visit("memory", config.memory, true);
    visit("nodes", config.nodes, config.machine.interconnect == InterconnectKind::nodes);
    config.devices.for_each(
        [&](auto& device) { visit(device.name(), device.keys, device.keys.present); });
    visit("sub_page", config.sub_page, config.sub_page.present);
    visit("preempt", config.preempt, config.preempt.instructions > 0);
    visit("schedule", config.schedule, !config.schedule.holds.empty());
    visit("guest", config.guest, true);
    visit("run", config.run, true);
    visit("observe", config.observe, true);
    visit("observe.window", config.observe.window, true);
}

GuestArguments guest_arguments(const Config& config);

// Throws UserError naming file, line, column and key, or "--set", for whatever is wrong.
Config load_config(const std::filesystem::path& file, const std::vector<std::string>& overrides);

// Dotted keys, and their values as TOML text.
using FlatConfig = std::vector<std::pair<std::string, std::string>>;
// The keys that the files of this run have (InResults).
FlatConfig flat_results_config(const Config& config);

// The config as TOML, which loads to the same config: every key, or these.
std::string print_config(const Config& config);
std::string print_config(const FlatConfig& config);

// One line per key for people.
std::string list_keys();

}  // namespace symsim
