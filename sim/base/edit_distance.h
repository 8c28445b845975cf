// SPDX-License-Identifier: MIT
// How unlike two names are, for guesses at what a user meant.
#pragma once

#include <cstddef>
#include <string>

namespace symsim {

// Levenshtein's distance: the least number of characters to insert, delete or replace.
std::size_t edit_distance(const std::string& a, const std::string& b);

}  // namespace symsim
