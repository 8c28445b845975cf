// SPDX-License-Identifier: MIT
// How far a processor may run ahead of commit time. The limit changes no result. It bounds the host
// time that a rollback loses.
#pragma once

#include "sim/base/time.h"
#include "sim/cpu/exceptions/branch_trace.h"

namespace symsim {

// In processor clocks: 100 us at 16 MHz. In measurements of a prototype 50 to 200 us were enough;
// 10 us cost a third of the speed of a checksum loop. A taken branch takes at least 8 clocks, so
// the ring of BranchTrace has room for all branches of a window.
constexpr Time kRunAheadClocks = 1600;
static_assert(kRunAheadClocks / 8 <= BranchTrace::kAhead);

}  // namespace symsim
