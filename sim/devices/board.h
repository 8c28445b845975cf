// SPDX-License-Identifier: MIT
// Registers on the processor's own board, which are accessed without the bus.
//
// The registers in namespace board depend on nothing but time and what the machine is built from,
// so a processor may read them speculatively. The microsecond clock is that of the Symmetry: users
// can map it read-only and read it at almost no cost (Sequent DYNIX manual, getusclk(3) and
// usclk(4)). The base address is that of the SLIC in Sequent's SGSproc.h (Mach 3.0 kernel,
// directory sqt).
//
// A BoardDevice, such as the SLIC, has registers that accesses change. Processors access them only
// at commit time. So they do with a TimedDevice, such as the synchronisation bus, for whose answer
// the processor waits.
//
// Registers on the board are dwords. The bytes of one may be read apart, except a TimedDevice's. A
// store to a part of one ends the run, as where there is no device.
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/interconnect_config.h"

namespace symsim {

class BoardDevice {
  public:
    virtual ~BoardDevice() = default;
    virtual bool answers(Address address, unsigned size, bool write) const = 0;
    // An access that the device answers: of `size` bytes, all in one dword.
    virtual std::uint32_t read(ProcessorId processor, Address address, unsigned size, Time at) = 0;
    virtual void write(ProcessorId processor, Address address, std::uint32_t value, Time at) = 0;
};

class TimedDevice {
  public:
    struct Reply {
        std::uint32_t value = 0;  // of a read
        Time at = 0;              // when the processor has the answer
    };

    virtual ~TimedDevice() = default;
    virtual bool answers(Address address, unsigned size, bool write) const = 0;
    // An access that the device answers. Its effect is at `at`.
    virtual Reply read(ProcessorId processor, Address address, Time at) = 0;
    virtual Reply write(ProcessorId processor, Address address, std::uint32_t value, Time at) = 0;
};

}  // namespace symsim

namespace symsim::board {

constexpr Address kProcessorNumber = 0xC800'0000;
constexpr Address kProcessorCount = 0xC800'0004;
constexpr Address kNodes = 0xC800'0008;
constexpr Address kProcessorsPerNode = 0xC800'000C;
constexpr Address kMicrosecondClock = 0xCC00'2000;

constexpr bool answers(Address a) {
    const Address word = a & ~Address{3};
    return (word >= kProcessorNumber && word <= kProcessorsPerNode) || word == kMicrosecondClock;
}

// `size` bytes at `address`, all in one dword.
constexpr std::uint32_t read(Address address, unsigned size, Time at, ProcessorId processor,
                             std::uint32_t processors, const Topology& topology) {
    std::uint32_t word = 0;
    switch (address & ~Address{3}) {
        case kProcessorNumber:
            word = processor;
            break;
        case kProcessorCount:
            word = processors;
            break;
        case kNodes:
            word = topology.nodes;
            break;
        case kProcessorsPerNode:
            word = topology.processors_per_node;
            break;
        default:
            word = static_cast<std::uint32_t>(at / kMicrosecond);
            break;
    }
    word >>= 8 * (address & 3);
    return size >= 4 ? word : word & ((1u << 8 * size) - 1);
}

}  // namespace symsim::board
