// SPDX-License-Identifier: MIT
// The states in which fuzzed code starts: modes, rings, segments, pages and tables.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/cpu/core/processor.h"

namespace symsim::fuzz {

enum class Start : std::uint8_t {
    flat,          // as an image starts: no tables, so the first exception is the end
    ring_0,        // with tables
    ring_3,        //
    paged_ring_0,  // and pages with all rights, read-only, of ring 0, and not present
    paged_ring_3,  //
    narrow,        // 16-bit code and stack in protected mode
    real,          //
    virtual_8086,  //
};
constexpr unsigned kStarts = 8;

// Tables of the machine, the same for all its processors. `input` fills up what is left of them;
// with `wild` it is all there is in the tables of segments and interrupts.
void write_tables(Memory& memory, const std::uint8_t* input, std::size_t size, bool wild);

// Registers but the general ones. Data are at `data`, code at `code` wherever it is seen from.
void put_into(Processor& processor, Start start, Address code, Address data);

}  // namespace symsim::fuzz
