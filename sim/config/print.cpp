// SPDX-License-Identifier: MIT
// Prints a Config as TOML and as flat lists, lists all keys, and computes the derived values.
#include <fmt/format.h>

#include <cmath>

#include "sim/config/config.h"
#include "sim/config/keys.h"
#include "sim/config/toml_text.h"

namespace symsim {

namespace {

// These change how fast a run is on the host, not its results.
constexpr const char* kEngine = "run.engine";
// Only in the results of a run that sets them. Other results equal those of a symsim without these
// keys.
constexpr const char* kInterconnect = "machine.interconnect";
constexpr const char* kStdin = "guest.stdin";
constexpr const char* kCodeAnywhere = "guest.code_anywhere";
constexpr const char* kPreempt = "preempt.";
constexpr const char* kSchedule = "schedule.";
constexpr const char* kSyncBus = "sync_bus.";
constexpr const char* kMonitor = "monitor.";
constexpr const char* kSubPage = "sub_page.";
constexpr const char* kNodes = "nodes.";

// How symlab draws a sweep is no part of the results of its runs.
bool is_look(const std::string& key) {
    return key.rfind("figure.", 0) == 0 && key != "figure.name";
}

bool in_results(const Key& key, const Config& config) {
    if (key.name == kInterconnect) return config.machine.interconnect != InterconnectKind::bus;
    if (key.name == kStdin) return !config.guest.stdin_file.empty();
    if (key.name == kCodeAnywhere) return config.guest.code_anywhere;
    if (key.name.rfind(kSyncBus, 0) == 0) return config.sync_bus.present;
    if (key.name.rfind(kMonitor, 0) == 0) return config.monitor.present;
    if (key.name.rfind(kSubPage, 0) == 0) return config.sub_page.present;
    if (key.name.rfind(kNodes, 0) == 0)
        return config.machine.interconnect == InterconnectKind::nodes;
    if (key.name.rfind(kPreempt, 0) == 0) return config.preempt.instructions > 0;
    if (key.name.rfind(kSchedule, 0) == 0) return !config.schedule.holds.empty();
    return key.name != kEngine && !is_look(key.name);
}

std::string print(const Config& config, bool results_only) {
    std::string text;
    std::string table;
    const auto open = [&](const std::string& name) {
        if (name == table) return;
        text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", name);
        table = name;
    };
    for (const Key& key : all_keys()) {
        if (results_only && !in_results(key, config)) continue;
        const std::size_t dot = key.name.rfind('.');
        open(key.name.substr(0, dot));
        text += fmt::format("{} = {}\n", key.name.substr(dot + 1), value_text(key, config));
    }
    for (const auto& [name, value] : config.guest_args) {
        open("guest.args");
        text += fmt::format("{} = {}\n", name, value.toml);
    }
    for (const auto& [name, values] : config.sweep) {
        open("sweep");
        text += fmt::format("{} = {}\n", toml_string(name), values);
    }
    return text;
}

Time period_of(double mhz) {
    return std::llround(1e6 / mhz);
}

}  // namespace

std::string print_config(const Config& config) {
    return print(config, false);
}

std::string print_results_config(const Config& config) {
    return print(config, true);
}

std::vector<std::pair<std::string, std::string>> flat_results_config(const Config& config) {
    std::vector<std::pair<std::string, std::string>> flat;
    for (const Key& key : all_keys())
        if (in_results(key, config)) flat.emplace_back(key.name, value_text(key, config));
    for (const auto& [name, value] : config.guest_args)
        flat.emplace_back("guest.args." + name, value.toml);
    return flat;
}

std::string list_keys() {
    const Config standard = default_config();
    std::string text;
    for (const Key& key : all_keys())
        text += fmt::format("{}{}\n    {}; default {}\n    {}\n", key.name,
                            key.unit.empty() ? "" : " (" + key.unit + ")", what_fits(key),
                            value_text(key, standard), key.meaning);
    for (const FreeKey& key : free_keys())
        text += fmt::format("{}\n    {}\n    {}\n", key.name, key.fits, key.meaning);
    return text;
}

Time Config::processor_period() const {
    return period_of(processor.clock_mhz);
}
Time Config::bus_period() const {
    return period_of(bus.clock_mhz);
}
Time Config::run_limit() const {
    return std::llround(run.limit_ms * kMillisecond);
}
Time Config::observe_interval() const {
    return std::llround(observe.interval_us * kMicrosecond);
}
std::uint64_t Config::transactions_limit_bytes() const {
    return std::uint64_t{observe.transactions_limit_mb} << 20;
}

Time Config::profile_period() const {
    return std::llround(observe.profile_us * kMicrosecond);
}

}  // namespace symsim
