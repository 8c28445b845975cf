// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4): names a guest image in the results, so that a result can be traced to the
// very bytes that ran.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace symsim {

// 64 hexadecimal digits, as sha256sum prints them.
std::string sha256(const std::vector<std::uint8_t>& bytes);

}  // namespace symsim
