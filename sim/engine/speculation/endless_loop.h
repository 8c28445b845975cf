// SPDX-License-Identifier: MIT
// Whether a processor is in a loop that only another processor can end: for the detection of
// deadlocks, in both engines.
#pragma once

#include "sim/cpu/core/processor.h"
#include "sim/engine/speculation/loop_skipper.h"
#include "sim/engine/speculation/rollback_points.h"

namespace symsim {

// Whether the processor, which stopped at `at` for `stop_reason`, is halted or in such a loop.
// Looks ahead, and rolls back: nothing may be speculative before, and nothing is after.
bool loops_for_ever(Processor& processor, RollbackPoints& points, LoopSkipper& loops, Time at,
                    StopReason stop_reason);

}  // namespace symsim
