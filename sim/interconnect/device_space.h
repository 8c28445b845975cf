// SPDX-License-Identifier: MIT
// The part of the address space behind the bus where there are devices and not memory.
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

// Memory addresses end here; everything above is never cached. The Symmetry has I/O from 2 GB
// (hardware.md 1.1, Sequent's SGSproc.h).
constexpr Address kDeviceSpace = 0x8000'0000;

// Port p of in and out is at kPortSpace + p.
constexpr Address kPortSpace = 0xfe00'0000;
constexpr std::uint32_t kPorts = 0x1'0000;

struct DeviceReply {
    bool answered = false;    // a device stands at this address and took the access
    std::uint32_t value = 0;  // of a read
    Time delay = 0;           // what the device needs beyond the bus's own time
};

class DeviceSpace {
  public:
    virtual ~DeviceSpace() = default;
    virtual DeviceReply read(Address address, unsigned size, Time at) = 0;
    virtual DeviceReply write(Address address, unsigned size, std::uint32_t value, Time at) = 0;
};

}  // namespace symsim
