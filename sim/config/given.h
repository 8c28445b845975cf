// SPDX-License-Identifier: MIT
// The values a user has given, each with the place it stands at.
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/config.h"

namespace symsim {

struct Given {
    std::filesystem::path file;               // empty: --set
    toml::source_region name;                 // where the key stands
    std::shared_ptr<const toml::node> value;  // keeps its document, since a copy forgets its place
};

// In the order in which names first appear, since that of [sweep] is the order of its grid.
struct Values {
    std::map<std::string, Given> by_name;
    std::vector<std::string> order;

    void put(const std::string& name, Given given) {
        if (by_name.insert_or_assign(name, std::move(given)).second) order.push_back(name);
    }
};

constexpr std::string_view kSweep = "sweep.";
constexpr const char* kRepeats = "sweep.repeats";

// "FILE:LINE:COLUMN", or "--set".
std::string place(const std::filesystem::path& file, const toml::source_region& source);
// Where the value of a key stands; "default" if nobody gave it.
std::string where(const Values& values, const std::string& name);

// "a, b": keys that are swept together.
std::vector<std::string> keys_of_axis(const std::string& axis);

// What one key alone cannot tell. Throws UserError.
void check_together(const Values& values, const Config& config);

}  // namespace symsim
