// SPDX-License-Identifier: MIT
// Parses symsim's command line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/time.h"

namespace symsim {

struct CommandLine {
    std::filesystem::path config;
    std::vector<std::string> overrides;  // key=value
    std::optional<std::filesystem::path> out;
    std::optional<std::uint16_t> gdb;  // TCP port
    std::optional<Time> gdb_at;        // when the run stops for GDB; at the start without it
    bool quiet = false;
    bool json = false;
    bool strict = false;
    bool check = false;
    bool schedules = false;
    bool print_config = false;
    bool serve = false;  // then there is nothing else
};

// Throws UserError. Empty: the user asked only for text (help, version, keys, description), which
// has been printed.
std::optional<CommandLine> parse_command_line(const std::vector<std::string>& arguments);

}  // namespace symsim
