// SPDX-License-Identifier: MIT
// Text for files and messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace symsim {

// The text as UTF-8, from bytes of any kind: a guest may name its symbols, and print, as it likes.
// Each longest part that begins a character and does not end it, and each other byte that is none,
// becomes U+FFFD, as Unicode recommends (section 3.9, "Substitution of maximal subparts") and as
// the JSON files have it.
std::string utf8(std::string_view text);

// How unlike two names are, for guesses at what a user meant: the least number of characters to
// insert, delete or replace (Levenshtein's distance).
std::size_t edit_distance(const std::string& a, const std::string& b);

}  // namespace symsim
