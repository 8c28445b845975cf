// SPDX-License-Identifier: MIT
// Registers on the processor's own board. They are read without the bus and depend on nothing but
// time, so a processor that runs ahead may read them. The microsecond clock is the Symmetry's,
// mapped read-only for users at a cost close to nothing (hardware.md 1.4); the SLIC's address is
// Sequent's. A BoardDevice has registers that change by being accessed: those are not accessed
// ahead.
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

class BoardDevice {
  public:
    virtual ~BoardDevice() = default;
    virtual bool answers(Address address) const = 0;
    // `size` bytes at `address`, all in one dword.
    virtual std::uint32_t read(ProcessorId processor, Address address, unsigned size, Time at) = 0;
    // The value is that of the register, whatever the size.
    virtual void write(ProcessorId processor, Address address, std::uint32_t value, Time at) = 0;
};

}  // namespace symsim

namespace symsim::board {

constexpr Address kProcessorNumber = 0xC800'0000;
constexpr Address kProcessorCount = 0xC800'0004;
constexpr Address kMicrosecondClock = 0xCC00'2000;

constexpr bool answers(Address a) {
    const Address word = a & ~Address{3};
    return word == kProcessorNumber || word == kProcessorCount || word == kMicrosecondClock;
}

// `size` bytes at `address`, all in one dword.
constexpr std::uint32_t read(Address address, unsigned size, Time at, ProcessorId processor,
                             std::uint32_t processors) {
    std::uint32_t word = 0;
    switch (address & ~Address{3}) {
        case kProcessorNumber:
            word = processor;
            break;
        case kProcessorCount:
            word = processors;
            break;
        default:
            word = static_cast<std::uint32_t>(at / kMicrosecond);
            break;
    }
    word >>= 8 * (address & 3);
    return size >= 4 ? word : word & ((1u << 8 * size) - 1);
}

}  // namespace symsim::board
