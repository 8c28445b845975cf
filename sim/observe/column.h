// SPDX-License-Identifier: MIT
// What a file of a run holds, column by column or key by key. From these tables CSV headers are
// written and docs/reference.md is made, so that neither can say what the other does not.
#pragma once

#include <string>
#include <vector>

namespace symsim {

struct Column {
    // Of a JSON key its path: "locks[].wait_us". ACTIVITY, KIND or STATE in it: one for each.
    std::string name;
    std::string unit;  // empty: none
    std::string meaning;
};
using Columns = std::vector<Column>;

// The names, ACTIVITY, KIND and STATE replaced by each of those there are; comma-separated, a line.
std::string csv_header(const Columns& columns);

}  // namespace symsim
