// SPDX-License-Identifier: MIT
// Tables of segments, interrupts and pages; clock_table/system.txt says what is in them.
#pragma once

#include "sim/cpu/core/processor.h"
#include "sim/interconnect/memory.h"

namespace symsim::test {

// Gates lead to `code` and some bytes behind.
void load_tables(Memory& memory, Processor& processor, Address code);
void go_to_ring_3(Processor& processor);  // behind load_tables()
// All memory at its own address.
void turn_paging_on(Memory& memory, Processor& processor);

}  // namespace symsim::test
