// SPDX-License-Identifier: MIT
// Prints a Config as TOML and as flat lists, and lists all keys.
#include <fmt/format.h>

#include "sim/config/config.h"
#include "sim/config/keys.h"
#include "sim/config/toml_text.h"

namespace symsim {

namespace {

bool in_results(const Key& key) {
    const bool set = key.in_results == InResults::if_set &&
                     value_text(key) != value_text(*find_key(all_keys(), key.name));
    return set || key.in_results == InResults::always;
}

std::string print(Config config, bool results_only) {
    std::string text;
    std::string table;
    const auto open = [&](const std::string& name) {
        if (name == table) return;
        text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", name);
        table = name;
    };
    for (const Key& key : keys_of(config)) {
        if (results_only && !in_results(key)) continue;
        const std::size_t dot = key.name.rfind('.');
        open(key.name.substr(0, dot));
        text += fmt::format("{} = {}\n", key.name.substr(dot + 1), value_text(key));
    }
    for (const auto& [name, value] : config.guest_args) {
        open("guest.args");
        text += fmt::format("{} = {}\n", name, value.toml);
    }
    return text;
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
    Config copy = config;
    for (const Key& key : keys_of(copy))
        if (in_results(key)) flat.emplace_back(key.name, value_text(key));
    for (const auto& [name, value] : config.guest_args)
        flat.emplace_back("guest.args." + name, value.toml);
    return flat;
}

std::string list_keys() {
    std::string text;
    for (const Key& key : all_keys())
        text += fmt::format("{}{}\n    {}; default {}\n    {}\n", key.name,
                            key.unit.empty() ? "" : " (" + key.unit + ")", what_fits(key),
                            value_text(key), key.meaning);
    for (const FreeKey& key : free_keys())
        text += fmt::format("{}\n    {}\n    {}\n", key.name, key.fits, key.meaning);
    return text;
}

}  // namespace symsim
