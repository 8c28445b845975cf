// SPDX-License-Identifier: MIT
// Prints a Config as TOML and as flat lists, and lists all keys.
#include <fmt/format.h>

#include "sim/config/config.h"
#include "sim/config/keys.h"

namespace symsim {

namespace {

bool in_results(const Key& key) {
    const bool set = key.in_results == InResults::if_set &&
                     value_text(key) != value_text(*find_key(all_keys(), key.name));
    return set || key.in_results == InResults::always;
}

FlatConfig flat(Config config, bool results_only) {
    FlatConfig all;
    for (const Key& key : keys_of(config))
        if (!results_only || in_results(key)) all.emplace_back(key.name, value_text(key));
    for (const auto& [name, value] : config.guest_args)
        all.emplace_back("guest.args." + name, value.toml);
    return all;
}

}  // namespace

std::string print_config(const Config& config) {
    return print_config(flat(config, false));
}

std::string print_config(const FlatConfig& config) {
    std::string text;
    std::string table;
    for (const auto& [key, value] : config) {
        const std::size_t dot = key.rfind('.');
        if (key.substr(0, dot) != table) {
            table = key.substr(0, dot);
            text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", table);
        }
        text += fmt::format("{} = {}\n", key.substr(dot + 1), value);
    }
    return text;
}

FlatConfig flat_results_config(const Config& config) {
    return flat(config, true);
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
