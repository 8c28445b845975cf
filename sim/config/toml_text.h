// SPDX-License-Identifier: MIT
// Values as TOML text.
#pragma once

#include <string>

namespace symsim {

std::string toml_string(const std::string& text);
std::string toml_real(double value);  // always recognisable as no integer

}  // namespace symsim
