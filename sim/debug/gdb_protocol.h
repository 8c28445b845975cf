// SPDX-License-Identifier: MIT
// Constants of GDB's remote protocol that several files of GdbSession use.
#pragma once

#include <cstddef>

namespace symsim {

constexpr const char* kNotPossible = "E01";
constexpr const char* kNoMemory = "E0e";  // EFAULT
constexpr std::size_t kLongestPacket = 4096;

}  // namespace symsim
