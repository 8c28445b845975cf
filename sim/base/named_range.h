// SPDX-License-Identifier: MIT
// A range of the guest's address space and the name of the symbol that covers it.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/types.h"

namespace symsim {

struct NamedRange {
    Address begin = 0;
    std::uint64_t end = 0;  // one past its last address
    Address origin = 0;     // where the symbol begins; offsets count from here
    std::string name;
};

}  // namespace symsim
