// SPDX-License-Identifier: MIT
// Tables of segments, interrupts and pages for a bench; clock_table/system.txt says what is in
// them.
#pragma once

#include "tests/cpu/bench.h"

namespace symsim::test {

void load_tables(Bench& bench);
void go_to_ring_3(Bench& bench);    // behind load_tables()
void turn_paging_on(Bench& bench);  // all memory at its own address

}  // namespace symsim::test
