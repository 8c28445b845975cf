// SPDX-License-Identifier: MIT
#include "sim/observe/process_timeline.h"

#include <algorithm>

#include "sim/base/failure.h"

namespace symsim {

namespace {

void add(std::vector<Address>& locks, Address lock) {
    if (std::find(locks.begin(), locks.end(), lock) == locks.end()) locks.push_back(lock);
}
void remove(std::vector<Address>& locks, Address lock) {
    locks.erase(std::remove(locks.begin(), locks.end(), lock), locks.end());
}

}  // namespace

void ProcessTimeline::take(ProcessorId processor, const Mark& mark) {
    OwnProcessor& own = processors_[processor];
    const bool in_kernel = mark.activity == Activity::kernel;
    if (mark.what == Mark::What::probe && is_process(mark.probe))
        return switch_process(processor, mark);
    if (mark.what == Mark::What::activity) {
        if (in_kernel == own.in_kernel) return;
        if (!own.process) {
            own.in_kernel = in_kernel;
            return;
        }
        Process& process = processes_.at(*own.process);
        begin_change(process, mark.time);
        own.in_kernel = in_kernel;
        end_change(process, mark.time);
    } else if (is_lock(mark.probe) && !in_kernel && own.process) {
        Process& process = processes_.at(*own.process);
        begin_change(process, mark.time);
        pass_lock(process, mark);
        end_change(process, mark.time);
    }
}

// The processor has refused probe points in an impossible order.
void ProcessTimeline::switch_process(ProcessorId processor, const Mark& mark) {
    const Time at = mark.time;
    const auto [found, is_new] = processes_.try_emplace(mark.value);
    if (is_new != (mark.probe == ProbeKind::process_create))
        impossible("process {} passes a probe point of kind {} and {}", mark.value,
                   index(mark.probe), is_new ? "does not exist" : "exists already");
    Process& process = found->second;
    if (is_new) {
        process.span.process = mark.value;
        process.span.processor = process.processor = processor;
        process.span.from = at;
    }
    begin_change(process, at);
    switch (mark.probe) {
        case ProbeKind::process_run:
            run(processor, mark.value, process, at);
            break;
        case ProbeKind::process_preempt:
            stop(processor, process, ProcessState::preempted, at);
            break;
        case ProbeKind::process_yield:
            stop(processor, process, ProcessState::ready, at);
            break;
        case ProbeKind::process_block:
            stop(processor, process, ProcessState::blocked, at);
            break;
        case ProbeKind::process_wake:
            process.off = ProcessState::ready;
            break;
        case ProbeKind::process_exit:
            if (process.releasing) end_release(process, false, at);
            cut(process, at);
            process.attempts.clear();
            stop(processor, process, ProcessState::ready, at);
            process.ended = true;
            break;
        default:
            break;
    }
    end_change(process, at);
}

void ProcessTimeline::run(ProcessorId processor, std::uint32_t number, Process& process, Time at) {
    processors_[processor].process = number;
    process.running = true;
    if (!process.attempts.empty()) process.absences.back().to = at;
    for (const Address lock : process.held) stalls_.runs(lock, number, true, at);
    process.processor = processor;
}

void ProcessTimeline::stop(ProcessorId processor, Process& process, ProcessState state, Time at) {
    processors_[processor].process.reset();
    process.running = false;
    process.off = state;
    if (!process.attempts.empty()) process.absences.push_back({at, kNever});
    for (const Address lock : process.held) stalls_.runs(lock, process.span.process, false, at);
}

// The guest chooses the order of its locks' probe points, so no order is an error. A second attempt
// of a lock continues with the first.
void ProcessTimeline::pass_lock(Process& process, const Mark& mark) {
    const Address lock = mark.value;
    const std::uint32_t number = process.span.process;
    const bool complete = mark.probe == ProbeKind::lock_released && process.releasing == lock;
    if (process.releasing) end_release(process, complete, mark.time);
    switch (mark.probe) {
        case ProbeKind::lock_attempt:
            if (process.attempts.empty()) process.absences.clear();
            add(process.attempts, lock);
            break;
        case ProbeKind::lock_acquired:
            remove(process.attempts, lock);
            add(process.held, lock);
            stalls_.acquired(lock, number, process.absences, mark.time);
            break;
        case ProbeKind::lock_release:
            remove(process.held, lock);
            stalls_.released(lock, number, mark.time);
            process.releasing = lock;
            break;
        default:
            break;
    }
    if (process.attempts.empty()) process.absences.clear();
}

// What was kept is now known: it was the release, or what the process did else.
void ProcessTimeline::end_release(Process& process, bool complete, Time at) {
    cut(process, at);
    process.releasing.reset();
    for (ProcessSpan& span : process.kept) {
        if (!complete) {
            span.state = process.held.empty() ? ProcessState::work : ProcessState::section;
            span.lock = process.held.empty() ? 0 : process.held.back();
        }
        listener_.spent(span);
    }
    process.kept.clear();
}

void ProcessTimeline::begin_change(Process& process, Time at) {
    if (!process.waits) return;
    for (const Address lock : process.attempts)
        stalls_.stop_waiting(lock, process.span.process, at);
}

void ProcessTimeline::end_change(Process& process, Time at) {
    ProcessSpan next = span_of(process);
    if (next.state != process.span.state || next.lock != process.span.lock || process.ended) {
        cut(process, at);
        if (next.state == ProcessState::acquire) next.holder = stalls_.holder(next.lock);
        next.from = at;
        process.span = next;
    }
    process.waits = process.span.state == ProcessState::acquire;
    if (!process.waits) return;
    for (const Address lock : process.attempts)
        stalls_.wait(lock, process.span.process, process.processor, at);
}

void ProcessTimeline::cut(Process& process, Time at) {
    ProcessSpan span = process.span;
    span.to = at;
    process.span.from = at;
    if (span.from == at || process.ended) return;
    if (span.state == ProcessState::release)
        process.kept.push_back(span);
    else
        listener_.spent(span);
}

// What the process does now: state, processor and lock.
ProcessSpan ProcessTimeline::span_of(const Process& process) const {
    ProcessSpan span;
    span.process = process.span.process;
    span.processor = process.processor;
    if (!process.running) {
        span.state = process.off;
    } else if (processors_[process.processor].in_kernel) {
        span.state = ProcessState::kernel;
    } else if (!process.attempts.empty()) {
        span.state = ProcessState::acquire;
        span.lock = process.attempts.front();
    } else if (process.releasing) {
        span.state = ProcessState::release;
        span.lock = *process.releasing;
    } else if (!process.held.empty()) {
        span.state = ProcessState::section;
        span.lock = process.held.back();
    } else {
        span.state = ProcessState::work;
    }
    return span;
}

void ProcessTimeline::close(Time end) {
    for (auto& entry : processes_) {
        Process& process = entry.second;
        if (process.ended) continue;
        begin_change(process, end);
        process.waits = false;
        if (process.releasing) end_release(process, false, end);
        cut(process, end);
    }
}

}  // namespace symsim
