// SPDX-License-Identifier: MIT
// The meter of processes: checks of a state that was loaded from a checkpoint file.
#include <numeric>

#include "sim/base/saved_state.h"
#include "sim/observe/process_meter.h"

namespace symsim {

ProcessTimeline::Now ProcessTimeline::now(std::uint32_t process) const {
    const auto found = processes_.find(process);
    if (found == processes_.end()) return Now::none;
    const Process& one = found->second;
    if (one.ended) return Now::ended;
    if (one.running) return Now::running;
    return one.off == ProcessState::blocked ? Now::blocked : Now::ready;
}

std::map<std::uint32_t, Time> ProcessTimeline::reported() const {
    std::map<std::uint32_t, Time> reported;
    for (const auto& [number, process] : processes_) {
        Time time = process.span.from - process.created;
        for (const ProcessSpan& span : process.kept) time -= span.to - span.from;
        reported[number] = time;
    }
    return reported;
}

void ProcessTimeline::check_loaded(unsigned processors, Time at) const {
    require(processors_.size() == processors, "its processes ran on {} processors",
            processors_.size());
    for (ProcessorId p = 0; p < processors; ++p) {
        if (!processors_[p].process) continue;
        const auto process = processes_.find(*processors_[p].process);
        require(process != processes_.end() && process->second.running &&
                    process->second.processor == p,
                "processor {} runs process {}, which does not run", p, *processors_[p].process);
    }
    const auto check = [&](const ProcessSpan& span, std::uint32_t number, Time to) {
        require(span.process == number && index(span.state) < kProcessStates &&
                    span.processor < processors && span.from >= 0 && span.from <= to && to <= at,
                "process {} is in state {} from {} ps to {} ps", span.process, index(span.state),
                span.from, to);
    };
    for (const auto& [number, process] : processes_) {
        check(process.span, number, at);
        for (const ProcessSpan& span : process.kept) check(span, number, span.to);
        require(process.created >= 0 && process.created <= process.span.from &&
                    process.processor < processors && index(process.off) < kProcessStates,
                "process {} was created at {} ps", number, process.created);
        const bool on_it = processors_[process.processor].process == number;
        require(process.running == on_it && !(process.running && process.ended),
                "process {} runs and does not", number);
        require(process.releasing || process.kept.empty(), "process {} has ended its release",
                number);
        require(process.waits == (process.span.state == ProcessState::acquire) &&
                    (!process.waits || !process.attempts.empty()),
                "process {} waits for no lock", number);
        const bool absent = !process.running && !process.ended && !process.attempts.empty();
        require(!absent || !process.absences.empty(), "process {} has never stopped", number);
    }
    stalls_.check_loaded(processors, at);
}

void ProcessMeter::check_loaded(unsigned processors, Time at) const {
    timeline_.check_loaded(processors, at);
    const std::map<std::uint32_t, Time> reported = timeline_.reported();
    require(times_.size() == reported.size(), "it has times of {} processes and not of {}",
            times_.size(), reported.size());
    for (const auto& [number, times] : times_) {
        CheckedSum sum;
        for (const Time time : times.states) sum.add(time);
        const auto life = reported.find(number);
        require(life != reported.end() && sum.sum() == life->second && times.number == number,
                "the times of process {} sum to {} ps", number, sum.sum());
        require(times.ended >= times.created && (times.ended == kNever || times.ended <= at),
                "process {} ended at {} ps", number, times.ended);
    }
    for (const ProcessFault& fault : faults_)
        require(times_.count(fault.process) != 0 && fault.processor < processors && fault.at >= 0 &&
                    fault.at <= at,
                "process {} faulted at {} ps", fault.process, fault.at);
    for (const auto& [key, time] : stalls_)
        require(key.second < processors && time >= 0, "a lock has stalls of {} ps", time);
    require(kept_.size() == processors, "it has marks of {} processors", kept_.size());
    for (const auto& marks : kept_)
        for (const Mark& mark : marks)
            require(mark.time >= at && index(mark.activity) < kActivities &&
                        (mark.what == Mark::What::activity || is_lock(mark.probe) ||
                         mark.probe == ProbeKind::process_fault),
                    "a mark of {} ps is kept", mark.time);
}

}  // namespace symsim
