// SPDX-License-Identifier: MIT
// Where QEMU's coprocessor is not an 80387: Unicorn 2.0.1 is made of QEMU 5.0.1
// (target/i386/fpu_helper.c).
#pragma once

#include <cstdint>

#include "tests/lockstep/exclusions.h"

namespace symsim::test {

// Makes the oracle's saved state the same where it cannot be compared.
void forgive_float_state(const Vector& vector, const std::uint8_t* simulated, std::uint8_t* theirs);

// The same with the exceptions.
void forgive_float_exceptions(const Vector& vector, Outcome& simulated, Outcome& oracle);

const Excuse* excused_float(const Vector& vector, const Outcome& simulated, const Outcome& oracle);

}  // namespace symsim::test
