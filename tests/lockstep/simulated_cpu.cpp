// SPDX-License-Identifier: MIT
#include "tests/lockstep/simulated_cpu.h"

namespace symsim::test {

SimulatedCpu::SimulatedCpu() = default;

Outcome SimulatedCpu::execute(const Vector& vector) {
    bench_.code.written(placed_, 16);
    bench_.code.written(vector.eip, 16);
    placed_ = vector.eip;
    Context& context = bench_.processor.context();
    context.regs = vector.regs;
    context.flags.set(vector.flags);
    context.eip = vector.eip;
    context.arrival = Arrival::in_sequence;
    context.halted = false;
    context.fetched = 0;
    context.accesses = 0;
    const bool failed = bench_.go() == Pause::failed;
    // It keeps all it is told, of millions of vectors.
    bench_.observer = {};
    Outcome outcome;
    outcome.regs = context.regs;
    outcome.flags = context.flags.value();
    outcome.eip = context.eip;
    if (failed) {
        outcome.vector = 0;
        outcome.complaint = bench_.complaint();
    }
    return outcome;
}

}  // namespace symsim::test
