// SPDX-License-Identifier: MIT
// Where Unicorn, or the QEMU it is made of, differs from the processor that the test compares with.
// Each difference has a name and a reason, and excludes as little as possible: a vector, or some of
// its flags.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/lockstep/vector.h"

namespace symsim::test {

struct Exclusion {
    const char* name;
    const char* reason;
    bool (*applies)(const Vector&);
    // The flags not to be compared; 0: the whole vector is left out.
    std::uint32_t flags;
};

const std::vector<Exclusion>& exclusions();

// A difference that can be recognised only from the outcomes.
struct Excuse {
    const char* name;
    const char* reason;
    bool (*applies)(const Vector&, const Outcome& simulated, const Outcome& oracle);
};
const Excuse* excused(const Vector& vector, const Outcome& simulated, const Outcome& oracle);

// Bits of a register that the manual leaves undefined, or about which the manuals disagree.
std::uint32_t undefined_bits(const Vector& vector, unsigned reg);

// Copies the accessed bits that Unicorn sets wrongly from the simulated page tables to the
// oracle's, so that they are not compared.
void forgive_marks(const Vector& vector, const Outcome& oracle, const std::uint8_t* simulated,
                   std::uint8_t* theirs);

// Copies the bytes that a 386 leaves unchanged on its stack and QEMU clears.
void forgive_push(const Vector& vector, const Outcome& simulated, const std::uint8_t* ours,
                  std::uint8_t* theirs);

// The first exclusion that leaves out the whole vector; null if the vector is to be compared.
const Exclusion* excluded(const Vector& vector);
// Flags not to be compared.
std::uint32_t excluded_flags(const Vector& vector);

}  // namespace symsim::test
