// SPDX-License-Identifier: MIT
// The arithmetic of skipped iterations: registers, time, counts, and the branches taken.
#include "sim/engine/speculation/loop_skipper.h"

#include <utility>

namespace symsim {

void LoopSkipper::skip_iterations(const Op& jump, Time limit) {
    Context& context = processor_.context();
    const CountedLoop::Spare spare = counted_.turn(context, jump, limit);
    if (spare.iterations == 0) return;
    context.regs.r[spare.counter] -= static_cast<std::uint32_t>(spare.iterations);
    context.time += static_cast<Time>(spare.iterations) * spare.turn;
    context.instructions += spare.iterations * spare.instructions;
    context.branches += spare.iterations;
    processor_.branch_trace().repeat(context.branches - spare.iterations - 1, 1, context.branches);
    counted_.forget();
}

Time LoopSkipper::wake(Time at) {
    const Context& start = detector_.start();
    const Time turns = (at - start.time) / detector_.period();
    Context context = start;
    context.time += turns * detector_.period();
    context.instructions += static_cast<std::uint64_t>(turns) * detector_.instructions();
    context.branches += static_cast<std::uint64_t>(turns) * detector_.branches();
    processor_.branch_trace().repeat(start.branches - detector_.branches(), detector_.branches(),
                                     context.branches);
    processor_.restore(context);
    return turns * detector_.period();
}

// Executes the processor speculatively until its state repeats.
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
