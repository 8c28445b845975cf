// SPDX-License-Identifier: MIT
// A mismatch in words: the instruction, both states beside each other, and how to have it again.
#pragma once

#include <string>

#include "tests/lockstep/vector.h"

namespace symsim::test {

std::string disassembly(const Vector& vector);

std::string report(std::uint64_t seed, const Vector& vector, const Outcome& simulated,
                   const Outcome& oracle, const std::string& difference);

}  // namespace symsim::test
