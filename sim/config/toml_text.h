// SPDX-License-Identifier: MIT
// Formats strings and real numbers as TOML text.
#pragma once

#include <string>

namespace symsim {

std::string toml_string(const std::string& text);
std::string toml_real(double value);  // never looks like an integer: 2 becomes 2.0

}  // namespace symsim
