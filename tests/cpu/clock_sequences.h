// SPDX-License-Identifier: MIT
// Reads the instruction sequences of clock_table/ with their clocks counted by hand.
// clock_table/README.md describes the format.
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
    std::string count;   // the counts of its lines, joined with " + "
    std::vector<std::pair<std::string, std::string>> given;
};

// Throws std::runtime_error for a line before the first sequence.
std::vector<ClockSequence> read_clock_sequences(const std::filesystem::path& file);

// The value of a sum made of + * ( ), numbers, and w. Throws std::runtime_error for anything else.
unsigned evaluate(const std::string& sum, unsigned w);

}  // namespace symsim::test
