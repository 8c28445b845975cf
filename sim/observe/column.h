// SPDX-License-Identifier: MIT
// Describes the columns of a CSV file, or the keys of a JSON file, that a run writes. CSV headers
// and docs/reference/options-and-keys.md are both generated from these tables, so they cannot
// disagree.
#pragma once

#include <string>
#include <vector>

namespace symsim {

struct Column {
    // For a JSON key, its path: "locks[].wait_us". A name that contains ACTIVITY, KIND or STATE
    // stands for one column per activity, transaction kind or processor state.
    std::string name;
    std::string unit;  // empty: none
    std::string meaning;
};
using Columns = std::vector<Column>;

// The header line of a CSV file: all column names, comma-separated, with a newline. Names with
// ACTIVITY, KIND or STATE are expanded.
std::string csv_header(const Columns& columns);
// A field of a CSV file: UTF-8, quoted as in RFC 4180 if it must be. Symbols of languages other
// than C may contain commas and quotes.
std::string csv_field(const std::string& bytes);

}  // namespace symsim
