// SPDX-License-Identifier: MIT
// What the user typed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace symsim {

struct CommandLine {
    std::filesystem::path config;
    std::vector<std::string> overrides;  // key=value
    std::optional<std::filesystem::path> out;
    std::optional<std::uint16_t> gdb;  // port
    bool quiet = false;
    bool json = false;
    bool check = false;
    bool print_config = false;
};

// Throws UserError. Empty: help, version or the list of keys has been printed, and that is all.
std::optional<CommandLine> parse_command_line(int argc, char** argv);

}  // namespace symsim
