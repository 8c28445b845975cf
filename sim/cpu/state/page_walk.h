// SPDX-License-Identifier: MIT
// The progress of a walk through the page tables (sim/cpu/mmu/paging_unit.cpp).
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/time.h"

namespace symsim {

// The kind of access an address is translated for: a write or a read, by ring 3 or by inner rings.
struct Reach {
    bool write;
    bool user;
};

// The log of the walk's own accesses, like LoadStore::AccessLog for those of an instruction.
struct PageWalk {
    std::array<std::uint32_t, 8> log{};
    unsigned made = 0;
    unsigned next = 0;
    Time offset = 0;  // of the access that needs the walk, from the start of the instruction
};

}  // namespace symsim
