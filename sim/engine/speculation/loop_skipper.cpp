// SPDX-License-Identifier: MIT
// The arithmetic of skipped iterations: registers, time, counts, and the branches taken.
#include "sim/engine/speculation/loop_skipper.h"

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

}  // namespace symsim
