// SPDX-License-Identifier: MIT
#include "sim/observe/recorder.h"

#include <algorithm>

namespace symsim {
namespace {

template <class Trace>
TraceReport trace_report(const Trace& trace, const Window& window, Time end) {
    const std::string file = trace.path().filename().string();
    const Time from = std::min(window.from, end);
    if (trace.failed()) return {file, false, from, from};
    return {file, !trace.stopped_at(), from, trace.stopped_at().value_or(std::min(window.to, end))};
}

}  // namespace

Recorder::Recorder(const RecorderConfig& config)
    : ledger_(config.processors),
      bus_(config.processors, config.interval),
      window_(config.window.fixed) {
    if (config.vcd) vcd_.emplace(*config.vcd);
    if (config.perfetto) perfetto_.emplace(*config.perfetto);
    if (config.transactions) transactions_.emplace(*config.transactions);
    if (perfetto_ || transactions_ || (vcd_ && config.window.looks_back())) {
        feed_.emplace(config.processors, config.window);
        if (vcd_) feed_->add(*vcd_);
        if (perfetto_) feed_->add(*perfetto_);
        if (transactions_) feed_->add(*transactions_);
    } else if (vcd_) {
        vcd_->begin(window_);
    }
    tells_uses_ = feed_ || vcd_;
}

void Recorder::passed(ProcessorId processor, const std::vector<Mark>& marks) {
    for (const Mark& mark : marks) {
        ledger_.passed(processor, mark);
        locks_.passed(processor, mark);
        regions_.passed(processor, mark);
    }
    if (feed_) feed_->passed(processor, marks);
}

void Recorder::entered(ProcessorId processor, ProcessorState state, Time at) {
    ledger_.enter(processor, state, at);
    if (feed_) feed_->entered(processor, state, at);
}

void Recorder::waited(ProcessorId processor, const BusWait& wait) {
    for_each_state(wait,
                   [&](ProcessorState state, Time at) { ledger_.enter(processor, state, at); });
    if (feed_) feed_->waited(processor, wait);
}

void Recorder::used(const BusUse& use) {
    bus_.used(use);
    if (tells_uses_) report_to_traces(use);
}

void Recorder::report_to_traces(const BusUse& use) {
    if (feed_)
        feed_->used(use);
    else
        vcd_->used(use);
}

void Recorder::messaged(const InterruptMessage& message) {
    if (feed_) feed_->messaged(message);
}

void Recorder::interrupted(ProcessorId processor, Time at, std::uint8_t vector,
                           std::uint32_t message) {
    if (feed_) feed_->interrupted(processor, at, vector, message);
}

void Recorder::reached(Time at) {
    if (feed_) feed_->reached(at);
}

void Recorder::begin_traces(Time at) {
    for (ProcessorId p = 0; p < ledger_.processors().size(); ++p) {
        const auto [state, activity] = ledger_.present(p);
        Mark mark;
        mark.time = at;
        mark.activity = activity;
        if (feed_) feed_->passed(p, {mark});
        if (feed_) feed_->entered(p, state, at);
    }
}

void Recorder::finish(Time end) {
    end_ = end;
    ledger_.close(end);
    bus_.close(end);
    locks_.close(end);
    regions_.close(end);
    if (feed_) feed_->close(end);
    if (vcd_) vcd_->close(end);
    if (transactions_) transactions_->close(end);
    if (perfetto_) perfetto_->close(end, bus_.intervals(), bus_.interval());
    for (ProcessorId p = 0; p < ledger_.processors().size(); ++p) {
        check_partition(p, ledger_.processors()[p], end);
    }
    check_bus(bus_.totals(), bus_.intervals(), end);
}

void Recorder::fill(RunReport& report, const SymbolOf& symbol_of) const {
    report.end = end_;
    report.processors = ledger_.processors();
    report.bus = bus_.totals();
    report.interval = bus_.interval();
    report.intervals = bus_.intervals();
    report.locks = locks_.report(symbol_of);
    report.regions = regions_.report();
    if (vcd_) report.trace = trace_report(*vcd_, window(), end_);
    if (perfetto_) report.perfetto = trace_report(*perfetto_, window(), end_);
    if (transactions_) report.transactions = trace_report(*transactions_, window(), end_);
}

void Recorder::save_traces() {
    const auto save = [this](auto& trace) {
        if (!trace) return;
        try {
            trace->commit();
        } catch (const OutputError& error) {
            if (!error_) error_ = error;
        }
    };
    save(vcd_);
    save(perfetto_);
    save(transactions_);
}

void Recorder::check_traces() const {
    if (error_) throw *error_;
}

}  // namespace symsim
