// SPDX-License-Identifier: MIT
// Executes a processor speculatively until its state repeats.
#include "sim/engine/speculation/endless_loop.h"

#include <utility>

namespace symsim {

bool loops_for_ever(Processor& processor, RollbackPoints& points, LoopSkipper& loops, Time at,
                    StopReason stop_reason) {
    constexpr Time kLongestLoop = kMillisecond;  // only a loop with a shorter iteration is found
    constexpr Time kNothingCommitted = -1;
    if (stop_reason == StopReason::halted) return true;
    if (stop_reason == StopReason::waiting) return false;
    // Each iteration brings the next entry of the schedule nearer.
    if (processor.schedule().has_more()) return false;
    points.begin_window(at);
    DebugHook* const debugger = processor.set_debug_hook(nullptr);
    Schedule schedule = processor.set_schedule({});
    const BranchTrace trace = processor.branch_trace();
    loops.begin_run();
    loops.detect(true);
    const StopReason found = processor.run(kNothingCommitted, at + kLongestLoop, &loops);
    loops.detect(false);
    points.restore();
    processor.set_debug_hook(debugger);
    processor.set_schedule(std::move(schedule));
    processor.branch_trace() = trace;
    return found == StopReason::looping;
}

}  // namespace symsim
