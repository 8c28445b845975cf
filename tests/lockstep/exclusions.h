// SPDX-License-Identifier: MIT
// Where Unicorn, or the QEMU it is made of, is not the processor it is the oracle for. Each is
// excluded by name, and only what is wrong with it: a vector, or some of its flags.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/lockstep/vector.h"

namespace symsim::test {

struct Exclusion {
    const char* name;
    const char* reason;
    bool (*applies)(const Vector&);
    // Not compared: everything if 0, else these flags.
    std::uint32_t flags;
};

const std::vector<Exclusion>& exclusions();

// What is wrong shows in the outcomes only.
struct Excuse {
    const char* name;
    const char* reason;
    bool (*applies)(const Vector&, const Outcome& simulated, const Outcome& oracle);
};
const Excuse* excused(const Vector& vector, const Outcome& simulated, const Outcome& oracle);

// Bits of a register that the manual leaves undefined, or the manuals disagree about.
std::uint32_t undefined_bits(const Vector& vector, unsigned reg);

// The oracle's page tables and descriptors as they should be: without the marks Unicorn sets too
// many or too few of.
void forgive_marks(const Vector& vector, const Outcome& oracle, const std::uint8_t* simulated,
                   std::uint8_t* theirs);

// The first that takes the whole vector out; null if it is to be compared.
const Exclusion* excluded(const Vector& vector);
// Flags not to be compared.
std::uint32_t excluded_flags(const Vector& vector);

}  // namespace symsim::test
