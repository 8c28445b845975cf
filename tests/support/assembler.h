// SPDX-License-Identifier: MIT
// Instructions as text, assembled by GNU as: an assembler that was not written here. Throws
// std::runtime_error with what as or ld says.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/types.h"

namespace symsim::test {

// Each source, in Intel's syntax, as the bytes of 32-bit code at an address divisible by 512, with
// hlt behind it. No source may be longer. All are assembled at once, since starting as takes
// longer than its work.
std::vector<std::vector<std::uint8_t>> assemble(const std::vector<std::string>& sources);

// A program as it lies in memory from `base` on. It defines the global symbol `start`.
std::vector<std::uint8_t> assemble_program(const std::string& source, Address base);

}  // namespace symsim::test
