// SPDX-License-Identifier: MIT
// The states in which execute_fuzz starts its code: modes, rings, segments, pages and tables.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/cpu/core/processor.h"

namespace symsim::fuzz {

enum class Start : std::uint8_t {
    flat,          // as an image starts: no tables, so the first exception ends the run
    ring_0,        // with tables
    ring_3,        // with tables
    paged_ring_0,  // with tables, and pages: all rights, read-only, supervisor only, not present
    paged_ring_3,  // the same in ring 3
    narrow,        // with tables, 16-bit code and stack in protected mode
    real,          // real mode
    virtual_8086,  // with tables and pages
};
constexpr unsigned kStarts = 8;

// Writes the tables that all processors of the machine share. `input`, repeated, fills the entries
// of the GDT and the IDT that are not set up; with `wild` it fills them all.
void write_tables(Memory& memory, const std::uint8_t* input, std::size_t size, bool wild);

// Puts the processor into this start state: eip, segment registers and system registers. `code` and
// `data` are addresses in memory. Where segments have other bases, eip and the pointers in general
// registers are made offsets from these.
void put_into(Processor& processor, Start start, Address code, Address data);

}  // namespace symsim::fuzz
