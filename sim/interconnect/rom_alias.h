// SPDX-License-Identifier: MIT
// The second place at which a ROM is seen: right below 4 GB, where the 386 fetches its first
// instruction. The address decoder of the processor's board takes such an address to the ROM's
// bytes in memory, in front of the cache, so that caches, bus and code know each byte by one
// address.
#pragma once

#include "sim/base/types.h"

namespace symsim {

struct RomAlias {
    Address begin = 0;   // it reaches to the end of the address space; 0: there is none
    Address offset = 0;  // from the place in memory to here

    // Only addresses in device space need to be asked about.
    Address in_memory(Address address) const {
        return begin != 0 && address >= begin ? address - offset : address;
    }
};

}  // namespace symsim
