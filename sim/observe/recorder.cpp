// SPDX-License-Identifier: MIT
#include "sim/observe/recorder.h"

#include <algorithm>

namespace symsim {

Recorder::Recorder(const RecorderConfig& config)
    : ledger_(config.processors),
      bus_(config.processors, config.interval),
      window_(config.window.fixed) {
    if (config.vcd) {
        vcd_.emplace(*config.vcd);
        vcd_->begin(window_.from);
    }
}

void Recorder::passed(ProcessorId processor, const std::vector<Mark>& marks) {
    ledger_.passed(processor, marks);
    locks_.passed(processor, marks);
    regions_.passed(processor, marks);
}

void Recorder::waiting(ProcessorId processor, Time at) {
    ledger_.enter(processor, State::waiting, at);
}

void Recorder::served(ProcessorId processor, Time at) {
    ledger_.enter(processor, State::served, at);
}

void Recorder::resumed(ProcessorId processor, Time at) {
    ledger_.enter(processor, State::executing, at);
}

void Recorder::halted(ProcessorId processor, Time at) {
    ledger_.enter(processor, State::halted, at);
}

void Recorder::used(const BusUse& use) {
    bus_.used(use);
    if (vcd_ && window_.holds(use.start)) vcd_->used(use);
}

void Recorder::finish(Time end) {
    end_ = end;
    ledger_.close(end);
    bus_.close(end);
    locks_.close(end);
    regions_.close(end);
    if (vcd_) vcd_->close(std::max(window_.from, std::min(window_.to, end)));
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
    if (vcd_) {
        const bool complete = !vcd_->failed() && !vcd_->stopped_at();
        report.trace =
            TraceReport{vcd_->path().filename().string(), complete, std::min(window_.from, end_),
                        vcd_->stopped_at().value_or(std::min(window_.to, end_))};
    }
}

void Recorder::save_trace() {
    if (vcd_) vcd_->commit();
}

}  // namespace symsim
