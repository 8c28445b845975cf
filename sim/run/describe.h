// SPDX-License-Identifier: MIT
// The output of --describe: symsim's options, keys, files, probe points and exit codes as JSON,
// from the same tables that symsim works with. `symlab reference` of the lab generates the
// reference and the completions from it.
#pragma once

#include <string>
#include <vector>

namespace symsim {

struct OptionText {
    std::string name;        // as typed: "--quiet"
    std::string short_name;  // "-q"; empty: none
    std::string argument;    // "FILE"; empty: the option takes none
    std::string meaning;
};

struct Usage {
    std::string synopsis;
    std::string summary;
    std::string example;
    std::vector<OptionText> options;
};

// Returns the JSON text.
std::string describe(const Usage& usage);

}  // namespace symsim
