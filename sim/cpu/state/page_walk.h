// SPDX-License-Identifier: MIT
// What a walk through the page tables has done so far (page_walk.cpp).
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/time.h"

namespace symsim {

// For whom, and for what, an address is translated.
struct Reach {
    bool write;
    bool user;
};

// Like the log of an instruction, of the walk's own accesses.
struct PageWalk {
    std::array<std::uint32_t, 8> log{};
    unsigned made = 0;
    unsigned next = 0;
    Time offset = 0;  // of the access that needs it, within the instruction
};

}  // namespace symsim
