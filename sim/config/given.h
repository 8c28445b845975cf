// SPDX-License-Identifier: MIT
// The values that a user has given in config files and by --set, each with its place for error
// messages. read.cpp collects them, load.cpp and check.cpp check them.
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
    std::filesystem::path file;  // empty: --set
    toml::source_region name;    // place of the key
    // Shares ownership of its document, since a copy of a node loses its place.
    std::shared_ptr<const toml::node> value;
};

// Keeps the order in which names first appear, in which they are checked.
struct Values {
    std::map<std::string, Given> by_name;
    std::vector<std::string> order;
    std::vector<std::filesystem::path> files;  // the config and its bases

    void put(const std::string& name, Given given) {
        if (by_name.insert_or_assign(name, std::move(given)).second) order.push_back(name);
    }
};

constexpr std::string_view kArguments = "guest.args.";

// Reads a file with its bases, and the --set options. Throws UserError.
Values read_values(const std::filesystem::path& file, const std::vector<std::string>& overrides);

bool begins_with(const std::string& text, std::string_view prefix);

// Throw UserError: refuse_name() reports the place of a wrong key, refuse() that of a wrong value.
[[noreturn]] void refuse_name(const Given& given, const std::string& name, const std::string& why);
[[noreturn]] void refuse(const Given& given, const toml::node& value, const std::string& name,
                         const std::string& why);

// "FILE:LINE:COLUMN", or "--set".
std::string place(const std::filesystem::path& file, const toml::source_region& source);
// The place of a key's value; "default" if it is not given.
std::string where(const Values& values, const std::string& name);

// Checks what goes beyond the range of a single key. Throws UserError.
void check_together(const Values& values, const Config& config);

}  // namespace symsim
