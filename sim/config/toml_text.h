// SPDX-License-Identifier: MIT
// Formats strings and real numbers as TOML text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace symsim {

std::string toml_string(const std::string& text);
std::string toml_real(double value);  // never looks like an integer: 2 becomes 2.0

// Bounds of a config's text. The parser recurses into each level of tables and arrays, so a text of
// too many levels would overflow its stack. lab/symlab/results/toml_text.py has the same bounds.
constexpr std::size_t kMostConfigBytes = std::size_t{1} << 20;
constexpr std::size_t kMostLevels = 32;  // of tables and arrays; configs have 4 at most
constexpr std::size_t kMostBases = 32;   // files that inherit from each other

// Throws UserError if the text has more levels: of brackets, or of parts of a dotted key. `source`
// names the text in the message.
void check_levels(std::string_view text, const std::string& source);

}  // namespace symsim
