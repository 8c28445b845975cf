// SPDX-License-Identifier: MIT
// Where QEMU's coprocessor differs from an 80387. Unicorn 2.0.1 is made of QEMU 5.0.1
// (target/i386/fpu_helper.c).
#pragma once

#include <cstdint>

#include "tests/lockstep/exclusions.h"

namespace symsim::test {

// Overwrites the parts of the oracle's saved state that cannot be compared with the simulated ones.
void forgive_float_state(const Vector& vector, const std::uint8_t* simulated, std::uint8_t* theirs);

// The same for the exceptions raised.
void forgive_float_exceptions(const Vector& vector, Outcome& simulated, Outcome& oracle);

const Excuse* excused_float(const Vector& vector, const Outcome& simulated, const Outcome& oracle);

}  // namespace symsim::test
