// SPDX-License-Identifier: MIT
// Registers on the processor's own board, which are accessed without the bus.
//
// The registers in namespace board depend on nothing but time and what the machine is built from,
// so a processor may read them speculatively. The microsecond clock is that of the Symmetry: users
// can map it read-only and read it at almost no cost (Sequent DYNIX manual, getusclk(3) and
// usclk(4)). The base address is that of the SLIC in Sequent's SGSproc.h (Mach 3.0 kernel,
// directory sqt). The bytes of a register may be read apart. A store ends the run, as where there
// is not a device.
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/interconnect_config.h"

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

// `size` bytes at `address`, all in one dword, of which they are a part.
constexpr std::uint32_t bytes_of(std::uint32_t dword, Address address, unsigned size) {
    dword >>= 8 * (address & 3);
    return size >= 4 ? dword : dword & ((1u << 8 * size) - 1);
}

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
    return bytes_of(word, address, size);
}

}  // namespace symsim::board

// By these registers a processor gets and releases sub-pages, on a machine with sub_page.present.
// The KSR1 has instructions for it (get_sub_page, release_sub_page): a processor that has got a
// sub-page has the only copy, and requests of others for any byte of it wait until it is released.
// That is the KSR1's native lock (Wisniewski, Kontothanassis and Scott, TR 454, 1993, section 4).
//
// Here a store of an address gets or releases the sub-page at that physical address. What is locked
// is the line of the cache, by a locked load that does not unlock (CacheController). On nodes the
// requests of other nodes for its whole block wait. On the KSR1, whose nodes have one processor,
// the block is a sub-page.
namespace symsim::sub_page {

constexpr Address kGet = 0xCA80'0000;
constexpr Address kRelease = 0xCA80'0004;

constexpr bool answers(Address address) {
    return address == kGet || address == kRelease;
}

}  // namespace symsim::sub_page
