// SPDX-License-Identifier: MIT
// What the program says of itself, from the tables that it works with: options, keys, files, probe
// points, exit codes. The lab makes reference, man page and completion of it (symlab reference).
#pragma once

#include <string>
#include <vector>

namespace symsim {

struct OptionText {
    std::string name;        // as it is typed: "--quiet"
    std::string short_name;  // "-q"; empty: none
    std::string argument;    // "FILE"; empty: it takes none
    std::string meaning;
};

struct Usage {
    std::string synopsis;
    std::string summary;
    std::string example;
    std::vector<OptionText> options;
};

// As JSON.
std::string describe(const Usage& usage);

}  // namespace symsim
