// SPDX-License-Identifier: MIT
#include "sim/observe/process_meter.h"

#include <algorithm>

#include "sim/base/failure.h"
#include "sim/observe/numbers.h"

namespace symsim {

namespace {
// What counts the marks of a probe point.
constexpr std::pair<ProbeKind, std::uint64_t ProcessTimes::*> kCounts[] = {
    {ProbeKind::process_run, &ProcessTimes::quanta},
    {ProbeKind::process_preempt, &ProcessTimes::preemptions},
    {ProbeKind::process_warn, &ProcessTimes::extensions},
    {ProbeKind::process_yield, &ProcessTimes::yields},
    {ProbeKind::process_block, &ProcessTimes::blocks},
    {ProbeKind::lock_acquired, &ProcessTimes::acquisitions},
};
}  // namespace

void check_partition(const ProcessTimes& times, Time end) {
    const Time spent = sum(times.states);
    const Time life = std::min(times.ended, end) - times.created;
    if (spent != life)
        impossible("the times of process {} sum to {} ps, and it existed for {} ps", times.number,
                   spent, life);
}

ProcessTimes& ProcessTimes::operator+=(const ProcessTimes& other) {
    for (std::size_t s = 0; s < kProcessStates; ++s) states[s] += other.states[s];
    for (const auto& [probe, count] : kCounts) this->*count += other.*count;
    migrations += other.migrations;
    return *this;
}

void ProcessMeter::passed(ProcessorId processor, const Mark& mark) {
    if (mark.what == Mark::What::probe) {
        const bool own = is_process(mark.probe);
        const std::optional<std::uint32_t> current = timeline_.current(processor);
        if (mark.probe == ProbeKind::process_fault && current)
            faults_.push_back({*current, processor, mark.time, mark.value});
        if (mark.probe == ProbeKind::caller && !faults_.empty() &&
            faults_.back().processor == processor && faults_.back().at == mark.time)
            faults_.back().callers.push_back(mark.value);
        if (own || (current && mark.activity != Activity::kernel))
            count(times_[own ? mark.value : *current], processor, mark);
    }
    timeline_.take(processor, mark);
}

void ProcessMeter::count(ProcessTimes& times, ProcessorId processor, const Mark& mark) {
    for (const auto& [probe, count] : kCounts)
        if (mark.probe == probe) ++(times.*count);
    if (mark.probe == ProbeKind::process_create) {
        times.number = mark.value;
        times.created = mark.time;
    } else if (mark.probe == ProbeKind::process_exit) {
        times.ended = mark.time;
    } else if (mark.probe == ProbeKind::process_run) {
        const auto [last, is_first] = last_processors_.try_emplace(mark.value, processor);
        if (!is_first && last->second != processor) ++times.migrations;
        last->second = processor;
    }
}

void ProcessMeter::spent(const ProcessSpan& span) {
    times_.at(span.process).states[index(span.state)] += span.to - span.from;
}

void ProcessMeter::stalled(const LockStall& stall) {
    stalls_[{stall.lock, stall.processor}] += stall.to - stall.from;
}

void ProcessMeter::close(Time end) {
    timeline_.close(end);
    for (const auto& [number, times] : times_) check_partition(times, end);
}

std::vector<ProcessTimes> ProcessMeter::report() const {
    std::vector<ProcessTimes> processes;
    for (const auto& [number, times] : times_) processes.push_back(times);
    return processes;
}

}  // namespace symsim
