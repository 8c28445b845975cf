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

const char* const kProcessOrder =
    "look where the kernel passes the probe points of processes; guest/include/probes.h says in "
    "which order they may come";

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
    waits_for_commit = points.wait_for_commit();
    instruction = *this;
    entry = kProbedEntry;
    simple = false;
    if (fast != leave_to_execute) fast = waits_for_commit ? leave_to_execute : pass_probes;
}

std::uint32_t Processor::operand_of(const Probe& probe) const {
    return evaluate(
        probe.operand, [this](std::uint8_t n) { return context_.regs[n]; },
        [this](Address a, unsigned size) {
            const auto physical = look_up(a);
            return physical ? cache_.peek_at(*physical, size, context_.time) : 0;
        });
}

void Processor::fire_probes(const ProbedOp& op) {
    context_.fetched |= kProbed;
    for (const Probe& probe : op.probes) {
        if (probe.kind == ProbeKind::argument) {
            note_argument(operand_of(probe));
            continue;
        }
        // The locks of a kernel with processes do not count: it may acquire one in one process and
        // release it in another.
        const bool counts = !processes_ || op.region != Activity::kernel;
        if (probe.kind == ProbeKind::lock_acquired && counts) {
            ++context_.critical_depth;
            context_.entry = kNoEntry;
        }
        if (probe.kind == ProbeKind::lock_release && counts) context_.releasing = true;
        marks_.push_back({context_.time, Mark::What::probe, op.region, probe.kind,
                          operand_of(probe), op.address});
    }
}

// Changes the process table as the op's probe points say. False: the guest has failed, since the
// order of the probe points is not possible.
bool Processor::switch_processes(const ProbedOp& op) {
    for (const Probe& probe : op.probes) {
        if (!is_process(probe.kind)) continue;
        const auto refused =
            processes_->pass(probe.kind, operand_of(probe), id_, context_.critical_depth);
        if (refused) return fail(*refused, kProcessOrder);
        context_.entry = kNoEntry;
    }
    return true;
}

// Such a probe point is never passed speculatively (ProbedOp::waits_for_commit).
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
