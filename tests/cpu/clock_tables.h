// SPDX-License-Identifier: MIT
// Descriptor tables, interrupt table and page tables for the tests of system instructions.
// clock_table/system.txt describes their contents.
#pragma once

#include "sim/cpu/core/processor.h"
#include "sim/interconnect/memory.h"

namespace symsim::test {

// Writes the GDT, the IDT and the task state into memory and loads the table registers. Gates lead
// to `code` + 64 and `code` + 128.
void load_tables(Memory& memory, Processor& processor, Address code);
// Loads the segments of ring 3. After load_tables() if the code is to return to ring 0.
void go_to_ring_3(Processor& processor);
// Clears PE; the segments stay flat. All vectors lead to a hlt at 0:0x500.
void go_to_real_mode(Memory& memory, Processor& processor);
// Turns paging on; every page is mapped to itself.
void turn_paging_on(Memory& memory, Processor& processor);

}  // namespace symsim::test
