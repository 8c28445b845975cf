// SPDX-License-Identifier: MIT
// Assembles test programs with GNU as, an assembler independent of this project's decoder. Throws
// std::runtime_error with the messages of as or ld.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/types.h"

namespace symsim::test {

// Assembles each source, in Intel's syntax, to 32-bit code. Each source starts at an address
// divisible by 512, must fit in 512 bytes, and is filled up with hlt. All sources are assembled
// together, since starting as takes longer than its work.
std::vector<std::vector<std::uint8_t>> assemble(const std::vector<std::string>& sources);

// Assembles a program and returns its bytes from address `base` on. The source must define the
// global symbol `start`.
std::vector<std::uint8_t> assemble_program(const std::string& source, Address base);

}  // namespace symsim::test
