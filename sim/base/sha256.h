// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4). The results contain the digest of the guest image, so that each result can
// be traced to the exact bytes that ran.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace symsim {

// 64 hexadecimal digits, as sha256sum prints them.
std::string sha256(const std::vector<std::uint8_t>& bytes);

}  // namespace symsim
