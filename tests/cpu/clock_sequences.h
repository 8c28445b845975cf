// SPDX-License-Identifier: MIT
// Reads the tables of clocks counted by hand; clock_table/README.md has their form.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace symsim::test {

struct ClockSequence {
    std::string place;   // file, line and name
    std::string source;  // its instructions
    std::string count;   // its lines' counts, added up
    std::vector<std::pair<std::string, std::string>> given;
};

// Throws std::runtime_error for a line that is none.
std::vector<ClockSequence> read_clock_sequences(const std::filesystem::path& file);

// The value of a sum: + * ( ), numbers, and w.
unsigned evaluate(const std::string& sum, unsigned w);

}  // namespace symsim::test
