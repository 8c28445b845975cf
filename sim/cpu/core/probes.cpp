// SPDX-License-Identifier: MIT
// What happens between two instructions: probe points fire, and the activity changes.
#include "sim/cpu/core/probes.h"

#include <algorithm>

#include "sim/cpu/core/processor.h"

namespace symsim {
namespace {

bool before(const Probe& a, const Probe& b) {
    return a.address < b.address;
}

}  // namespace

ProbePoints::ProbePoints(std::vector<Probe> probes) : probes_(std::move(probes)) {
    std::stable_sort(probes_.begin(), probes_.end(), before);
}

ProbeRange ProbePoints::at(Address address) const {
    const auto [first, last] =
        std::equal_range(probes_.begin(), probes_.end(), Probe{address, {}, {}}, before);
    return {probes_.data() + (first - probes_.begin()), probes_.data() + (last - probes_.begin())};
}

void ProbedOp::put_before(const ProbeRange& points) {
    probes = points;
    reads_memory = points.read_memory();
    instruction = *this;
    entry = kProbedEntry;
    simple = false;
    if (fast != leave_to_execute) fast = reads_memory ? leave_to_execute : pass_probes;
}

void Processor::fire_probes(const ProbedOp& op) {
    context_.fetched |= kProbed;
    const auto reg = [this](std::uint8_t n) { return context_.regs[n]; };
    const auto peek = [this](Address a, unsigned size) {
        const auto physical = look_up(a);
        return physical ? cache_.peek_at(*physical, size, context_.time) : 0;
    };
    for (const Probe& probe : op.probes) {
        if (probe.kind == ProbeKind::argument) {
            note_argument(evaluate(probe.operand, reg, peek));
            continue;
        }
        if (probe.kind == ProbeKind::lock_acquired) {
            ++context_.critical_depth;
            context_.entry = kNoEntry;
        }
        if (probe.kind == ProbeKind::lock_release) context_.releasing = true;
        marks_.push_back({context_.time,
                          Mark::What::probe,
                          {},
                          probe.kind,
                          evaluate(probe.operand, reg, peek),
                          op.address});
    }
}

// Such a probe point is never passed speculatively (ProbedOp::reads_memory).
void Processor::note_argument(LinearAddress name) {
    std::string text;
    while (text.size() < kLongestArgument) {
        const auto physical = look_up(name + static_cast<LinearAddress>(text.size()));
        if (!physical || !cache_.memory().contains(*physical, 1)) return;
        const char c = static_cast<char>(cache_.peek_at(*physical, 1, context_.time));
        if (c == '\0') break;
        text += c;
    }
    arguments_asked_.insert(std::move(text));
}

bool FastPathRun::passes_probes(Processor& cpu, const ProbedOp& op, Time time) {
    if (!goes_on(cpu, time)) return false;
    cpu.context_.time = time;
    cpu.fire_probes(op);
    if (cpu.context_.releasing) return false;
    if (cpu.context_.entry != index(op.region)) cpu.enter_activity(op);
    return true;
}

void pass_probes(Processor& cpu, const Op& op, Time time) {
    const auto& probed = static_cast<const ProbedOp&>(op);
    if (!FastPathRun::passes_probes(cpu, probed, time)) return FastPathRun::leave(cpu, op, time);
    probed.instruction.fast(cpu, probed.instruction, time);
}

// The activity follows from the region of the code and from whether locks are held.
void Processor::enter_activity(const Op& op) {
    Activity activity = op.region;
    if (context_.critical_depth > 0 &&
        (activity == Activity::user || activity == Activity::threads))
        activity = Activity::critical;
    if (activity != context_.activity) {
        context_.activity = activity;
        marks_.push_back({context_.time, Mark::What::activity, activity, {}, 0, op.address});
    }
    context_.entry = static_cast<std::uint8_t>(op.region);
}

}  // namespace symsim
