// SPDX-License-Identifier: MIT
// The text of a mismatch: the instruction, both states side by side, and the command that repeats
// it.
#pragma once

#include <string>

#include "tests/lockstep/vector.h"

namespace symsim::test {

std::string disassembly(const Vector& vector);

std::string report(std::uint64_t seed, const Vector& vector, const Outcome& simulated,
                   const Outcome& oracle, const std::string& difference);

}  // namespace symsim::test
