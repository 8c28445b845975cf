// SPDX-License-Identifier: MIT
// The file that the guest reads as its standard input (guest.stdin).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace symsim {

struct StandardInput {
    std::vector<std::uint8_t> bytes;
    std::string sha256;  // of the bytes; empty if there is no file
};

// An empty path is not a file. Throws UserError if the file cannot be read.
StandardInput load_standard_input(const std::filesystem::path& path);

}  // namespace symsim
