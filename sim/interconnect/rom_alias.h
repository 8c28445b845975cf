// SPDX-License-Identifier: MIT
// A ROM is mapped a second time, right below 4 GB, where the 386 fetches its first instruction. The
// address decoder of the processor's board translates an address in this alias to that of the ROM's
// bytes in memory. It sits in front of the cache, so caches, bus and decode cache know each byte by
// one address.
#pragma once

#include "sim/base/types.h"

namespace symsim {

struct RomAlias {
    Address begin = 0;   // the alias reaches from here to 4 GB; 0: there is no alias
    Address offset = 0;  // from an address in memory to its alias

    // The address in memory of a physical address. Addresses below device space are never in the
    // alias; callers need not translate them.
    Address in_memory(Address address) const {
        return begin != 0 && address >= begin ? address - offset : address;
    }
};

}  // namespace symsim
