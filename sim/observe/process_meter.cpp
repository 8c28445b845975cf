// SPDX-License-Identifier: MIT
#include "sim/observe/process_meter.h"

#include <algorithm>

#include "sim/base/failure.h"
#include "sim/observe/numbers.h"

namespace symsim {

void check_partition(const ProcessTimes& times, Time end) {
    const Time spent = sum(times.states);
    const Time life = std::min(times.ended, end) - times.created;
    if (spent != life)
        impossible("the times of process {} sum to {} ps, and it existed for {} ps", times.number,
                   spent, life);
}

ProcessTimes& ProcessTimes::operator+=(const ProcessTimes& other) {
    for (std::size_t s = 0; s < kProcessStates; ++s) states[s] += other.states[s];
    quanta += other.quanta;
    preemptions += other.preemptions;
    extensions += other.extensions;
    yields += other.yields;
    blocks += other.blocks;
    migrations += other.migrations;
    acquisitions += other.acquisitions;
    return *this;
}

void ProcessMeter::passed(ProcessorId processor, const Mark& mark) {
    if (mark.what == Mark::What::probe) {
        const bool own = is_process(mark.probe);
        const std::optional<std::uint32_t> current = timeline_.current(processor);
        if (mark.probe == ProbeKind::process_fault && current)
            faults_.push_back({*current, processor, mark.time, mark.value});
        if (own || (current && mark.activity != Activity::kernel))
            count(times_[own ? mark.value : *current], processor, mark);
    }
    timeline_.take(processor, mark, *this);
}

void ProcessMeter::count(ProcessTimes& times, ProcessorId processor, const Mark& mark) {
    switch (mark.probe) {
        case ProbeKind::process_create:
            times.number = mark.value;
            times.created = mark.time;
            break;
        case ProbeKind::process_run: {
            ++times.quanta;
            const auto [last, is_first] = last_processors_.try_emplace(mark.value, processor);
            if (!is_first && last->second != processor) ++times.migrations;
            last->second = processor;
            break;
        }
        case ProbeKind::process_preempt:
            ++times.preemptions;
            break;
        case ProbeKind::process_yield:
            ++times.yields;
            break;
        case ProbeKind::process_block:
            ++times.blocks;
            break;
        case ProbeKind::process_exit:
            times.ended = mark.time;
            break;
        case ProbeKind::process_warn:
            ++times.extensions;
            break;
        case ProbeKind::lock_acquired:
            ++times.acquisitions;
            break;
        default:
            break;
    }
}

void ProcessMeter::spent(const ProcessSpan& span) {
    times_.at(span.process).states[index(span.state)] += span.to - span.from;
}

void ProcessMeter::stalled(const LockStall& stall) {
    stalls_[{stall.lock, stall.processor}] += stall.to - stall.from;
}

void ProcessMeter::close(Time end) {
    timeline_.close(end, *this);
    for (const auto& [number, times] : times_) check_partition(times, end);
}

std::vector<ProcessTimes> ProcessMeter::report() const {
    std::vector<ProcessTimes> processes;
    for (const auto& [number, times] : times_) processes.push_back(times);
    return processes;
}

}  // namespace symsim
