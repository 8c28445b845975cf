// SPDX-License-Identifier: MIT
// The part of the physical address space that has devices and no memory, and the interface through
// which the bus accesses them.
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

// Memory addresses end here. Nothing from here on is ever cached. The Symmetry has I/O from 2 GB on
// (Sequent's SGSproc.h, in the Mach 3.0 kernel, directory sqt).
constexpr Address kDeviceSpace = 0x8000'0000;

// Port p of the instructions in and out is at kPortSpace + p.
constexpr Address kPortSpace = 0xfe00'0000;
constexpr std::uint32_t kPorts = 0x1'0000;

struct DeviceReply {
    bool answered = false;    // a device is at this address and has taken the access
    std::uint32_t value = 0;  // of a read
    Time delay = 0;           // time that the device needs beyond the bus's own time
};

class DeviceSpace {
  public:
    virtual ~DeviceSpace() = default;
    virtual DeviceReply read(Address address, unsigned size, Time at) = 0;
    virtual DeviceReply write(Address address, unsigned size, std::uint32_t value, Time at) = 0;
};

// A ROM is mapped a second time, right below 4 GB, where the 386 fetches its first instruction. The
// address decoder of the processor's board translates an address in this alias to that of the ROM's
// bytes in memory. It sits in front of the cache, so caches, bus and decode cache know each byte by
// one address.
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
