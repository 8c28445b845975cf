// SPDX-License-Identifier: MIT
#include "sim/observe/recorder.h"

#include <algorithm>
#include <utility>

#include "sim/base/failure.h"

namespace symsim {

namespace {
// A process or a lock goes from one processor to another.
bool needs_order(const Mark& mark) {
    return mark.what == Mark::What::activity || is_lock(mark.probe) || is_process(mark.probe) ||
           mark.probe == ProbeKind::process_fault || is_linux(mark.probe);
}
}  // namespace

Recorder::Recorder(const RecorderConfig& config, TraceSinks traces)
    : run_(config.run),
      ledger_(config.run.processors),
      bus_(config.run.processors, config.interval, config.run.resources),
      threads_(config.run.processors),
      window_(config.window.fixed),
      traced_(!traces.empty()),
      traces_(std::move(traces)) {
    if (config.run.processes) process_meter_.emplace(config.run.processors);
    if (config.run.calls) calls_.emplace(config.run.processors);
    if (!config.run.spaces.empty()) spaces_.emplace(config.run.processors, config.run.spaces);
    if (config.run.topology.nodes > 1)
        distance_.emplace(config.run.processors, config.interval, config.run.topology,
                          config.run.table);
    if (config.run.is_linux())
        linux_.emplace(config.run.processors, config.run.system_calls, config.run.events);
    if (config.call_stacks) stacks_.emplace(config.run.processors);
    if (process_meter_ || distance_) ordered_.emplace(config.run.processors);
    const bool single_uses = std::all_of(traces_.begin(), traces_.end(), [](const auto& trace) {
        return trace->takes_single_uses();
    });
    if (!traced_) return;
    if (single_uses && !config.window.looks_back()) {
        for (const auto& trace : traces_) trace->begin(window_);
        return;
    }
    feed_.emplace(config.run.processors, config.window);
    for (const auto& trace : traces_) feed_->add(*trace);
}

void Recorder::passed(ProcessorId processor, const std::vector<Mark>& marks) {
    for (const Mark& mark : marks) {
        if (stacks_) stacks_->passed(processor, mark);
        if (mark.is_call()) continue;
        ledger_.passed(processor, mark);
        locks_.passed(processor, mark);
        regions_.passed(processor, mark);
        threads_.passed(processor, mark);
        if (calls_) calls_->passed(processor, mark);
        if (spaces_) spaces_->passed(processor, mark);
        if (ordered_ && needs_order(mark)) ordered_->add(processor, mark);
    }
    if (feed_) feed_->passed(processor, marks);
}

void Recorder::entered(ProcessorId processor, ProcessorState state, Time at) {
    ledger_.enter(processor, state, at);
    if (feed_) feed_->entered(processor, state, at);
}

void Recorder::waited(ProcessorId processor, const BusWait& wait) {
    ledger_.waited(processor, wait);
    if (feed_) feed_->waited(processor, wait);
}

void Recorder::used(const BusUse& use) {
    bus_.used(use);
    if (linux_) linux_->used(use);
    if (!traced_) return;
    if (feed_) return feed_->used(use);
    for (const auto& trace : traces_) trace->used(use);
}

void Recorder::reached(Time at) {
    if (feed_) feed_->reached(at);
    if (stacks_) stacks_->settle(at);
    tell_in_order(at);
}

void Recorder::tell_in_order(Time at) {
    if (!ordered_) return;
    ordered_->take_before(at, [this](ProcessorId processor, const Mark& mark) {
        if (process_meter_) process_meter_->passed(processor, mark);
        if (distance_) distance_->passed(processor, mark);
        if (linux_) linux_->passed(processor, mark);
    });
    if (linux_) linux_->reached(at);
}

void Recorder::finish(Time end) {
    end_ = end;
    tell_in_order(kNever);
    ledger_.close(end);
    bus_.close(end);
    locks_.close(end);
    regions_.close(end);
    if (process_meter_) process_meter_->close(end);
    if (calls_) calls_->close(end);
    if (spaces_) spaces_->close(end);
    if (distance_) distance_->close(end);
    if (linux_) linux_->close(end);
    if (process_meter_)
        locks_.enter(process_meter_->stalls(), &LockTimes::waited_for_preempted_holder);
    if (distance_) locks_.enter(distance_->handoffs(), &LockTimes::handoffs);
    if (feed_) feed_->close(end);
    if (traced_) {
        const RunEnd run_end{end, bus_.intervals(), bus_.interval()};
        for (const auto& trace : traces_) trace->close(run_end);
    }
    for (ProcessorId p = 0; p < ledger_.processors().size(); ++p)
        check_partition(p, ledger_.processors()[p], end);
    check_bus(bus_.totals(), bus_.intervals(), end);
}

TraceReport Recorder::trace_report(const TraceSink& trace) const {
    const std::string file = trace.path().filename().string();
    const Time from = std::min(window().from, end_);
    if (trace.failed()) return {file, false, from, from, true};
    const Time until = trace.stopped_at().value_or(std::min(window().to, end_));
    return {file, !trace.stopped_at(), from, until};
}

void Recorder::fill(RunReport& report, const SymbolOf& symbol_of) const {
    report.end = end_;
    report.processors = ledger_.processors();
    report.bus = bus_.totals();
    report.interval = bus_.interval();
    report.intervals = bus_.intervals();
    report.locks = locks_.report(symbol_of);
    report.regions = regions_.report();
    if (process_meter_) {
        report.processes = process_meter_->report();
        for (const ProcessFault& fault : process_meter_->faults())
            report.faults.push_back({fault, symbol_of(fault.eip), "", "", {}});
    }
    if (linux_) report.linux = linux_report(report.processes, symbol_of);
    if (linux_)
        for (ProcessTimes& thread : report.processes)
            thread.thread = linux_->thread(thread.number, run_.program, symbol_of);
    if (calls_) report.calls = calls_->report();
    if (spaces_) report.spaces = spaces_->report();
    if (distance_) report.distance = distance_->report(symbol_of);
    for (const auto& trace : traces_) report.traces.push_back(trace_report(*trace));
}

LinuxReport Recorder::linux_report(const std::vector<ProcessTimes>& threads,
                                   const SymbolOf& symbol_of) const {
    LinuxReport report = linux_->report(symbol_of);
    report.clock = run_.clock;
    for (const ProcessTimes& thread : threads) {
        const Time kernel = thread.states[index(ProcessState::kernel)];
        report.kernel += kernel;
        report.user += thread.running() - kernel;
        report.switches += thread.quanta;
        report.migrations += thread.migrations;
    }
    Time visits = 0;
    for (const KernelVisits& visit : report.visits) visits += visit.ran;
    if (visits != report.kernel)
        impossible("threads were in the kernel for {} ps, their visits sum to {} ps", report.kernel,
                   visits);
    for (const ProcessorTimes& processor : ledger_.processors())
        report.idle += processor.states()[index(symsim::ProcessorState::halted)];
    report.scheduler = end_ * static_cast<Time>(ledger_.processors().size()) - report.user -
                       report.kernel - report.idle;
    return report;
}

bool Recorder::trace_failed() const {
    if (feed_) return feed_->failed();
    return std::any_of(traces_.begin(), traces_.end(),
                       [](const auto& trace) { return trace->failed(); });
}

bool Recorder::save_traces(ResultFiles& files) {
    bool failed_now = false;
    for (const auto& trace : traces_) {
        const bool failed_before = trace->failed();
        files.save(trace->path().filename().string(),
                   [&](const std::filesystem::path&) { return trace->commit(); });
        failed_now = failed_now || (trace->failed() && !failed_before);
    }
    return failed_now;
}

}  // namespace symsim
