// SPDX-License-Identifier: MIT
#include "sim/observe/perfetto_writer.h"

#include <algorithm>

#include "sim/base/probe_point.h"
#include "sim/observe/by_time.h"

namespace symsim {
namespace {

// The most bytes that an event of each sort takes.
constexpr std::size_t kStateBytes = 96;
constexpr std::size_t kProbeBytes = 320;  // including the tracks of a new lock
constexpr std::size_t kUseBytes = 192;
constexpr std::size_t kMessageBytes = 2048;
// One part in kCountersPart of the size limit is left for the counters, which are written last.
constexpr std::size_t kCountersPart = 16;
// The most message probes that wait for their match; a guest may have any number of them.
constexpr std::size_t kMaxOpenFlows = 1 << 16;
// Message probes have flow numbers above this one, which is above those of interrupts.
constexpr std::uint64_t kProbeFlows = std::uint64_t{1} << 48;

// An upper bound for what the chunk adds to the file.
std::size_t most_bytes(const TraceChunk& chunk) {
    std::size_t events = 0;
    for (const auto& own : chunk.processors)
        for (const TraceEvent& event : own) {
            const bool slice =
                event.what == TraceEvent::What::state || event.what == TraceEvent::What::activity;
            events += slice ? kStateBytes : kProbeBytes;
        }
    return events + chunk.uses.size() * kUseBytes + chunk.messages.size() * kMessageBytes;
}

}  // namespace

PerfettoWriter::PerfettoWriter(const TraceConfig& config)
    : TraceSink(config),
      max_bytes_(config.max_bytes),
      view_(file_, window_),
      bus_(view_, config.run.resources, config.run.table, config.symbols),
      spinners_(view_, config.run.processors),
      locks_(view_, config.name_of),
      processes_(config.run.processes) {
    processors_.reserve(config.run.processors);
    for (ProcessorId p = 0; p < config.run.processors; ++p) processors_.emplace_back(view_, p);
    // The processes of a guest with address spaces are processors in them.
    if (!config.run.spaces.empty())
        spaces_.emplace(view_, config.run.processors, config.run.spaces);
    else if (processes_)
        process_tracks_.emplace(view_, config.run.processors, config.name_of);
    if (!config.run.is_linux()) return;
    threads_.emplace(view_, config.run, config.name_of);
    threads_->set_parent(
        [this](std::uint32_t thread) { return process_tracks_->track_of(thread); });
    process_tracks_->set_titles([this](std::uint32_t thread) { return threads_->title(thread); });
}

// Takes a chunk whole or not at all, so that all tracks of the trace end at the same time.
void PerfettoWriter::take(const TraceChunk& chunk) {
    if (stopped_at_ || chunk.from >= window_.to) return;
    const bool seen = chunk.to > window_.from;
    const std::size_t room = max_bytes_ - max_bytes_ / kCountersPart;
    ByTime<TraceEvent> events;
    if (processes_ || spaces_) events = by_time(chunk.processors, is_mark);
    if (process_tracks_) process_tracks_->take(events);
    if (threads_) threads_->take(events);
    const std::size_t processes = (process_tracks_ ? process_tracks_->most_bytes() : 0) +
                                  (threads_ ? threads_->most_bytes() : 0);
    const std::size_t spaces = spaces_ ? PerfettoSpaces::most_bytes(chunk) : 0;
    if (seen && view_.file.bytes() + most_bytes(chunk) + processes + spaces > room) {
        stopped_at_ = std::max(chunk.from, window_.from);
        end_all(*stopped_at_);
        return;
    }
    for (ProcessorId p = 0; p < processors_.size(); ++p)
        for (const TraceEvent& event : chunk.processors[p]) {
            processors_[p].take(event);
            if (!processes_) locks_.take(p, event);
        }
    // A process may wait for a lock on one processor and acquire it on another.
    if (processes_)
        for (const auto& [processor, event] : events) locks_.take(processor, *event);
    if (process_tracks_) process_tracks_->write();
    if (threads_) threads_->write();
    if (spaces_) spaces_->take(events);
    spinners_.take(chunk);
    for (const BusUse& use : chunk.uses) bus_.used(use);
    for (const InterruptMessage& message : chunk.messages) {
        processors_[message.sender].sent(message);
        bus_.messaged(message);
    }
    messages(chunk);
}

// A message probe and the next one with the same operand, on any processor, are sender and
// receiver. A flow connects them.
void PerfettoWriter::messages(const TraceChunk& chunk) {
    const auto is_message = [](const TraceEvent& event) {
        return event.what == TraceEvent::What::probe &&
               static_cast<ProbeKind>(event.code) == ProbeKind::message;
    };
    for (const auto& [processor, event] : by_time(chunk.processors, is_message)) {
        const auto open = open_flows_.find(event->value);
        if (open != open_flows_.end()) {
            processors_[processor].message(*event, open->second, false);
            open_flows_.erase(open);
        } else {
            const bool room = open_flows_.size() < kMaxOpenFlows;
            const std::uint64_t flow = room ? kProbeFlows + ++flows_ : 0;
            if (room) open_flows_.emplace(event->value, flow);
            processors_[processor].message(*event, flow, true);
        }
    }
}

void PerfettoWriter::end_all(Time at) {
    for (PerfettoProcessor& processor : processors_) processor.close(at);
    locks_.close(at);
    if (threads_) threads_->close(at);
    if (process_tracks_) process_tracks_->close(at);
    if (spaces_) spaces_->close(at);
    bus_.close(at);
}

void PerfettoWriter::close(const RunEnd& end) {
    if (!stopped_at_) end_all(end.time);
    if (stopped_at_) window_.to = std::min(window_.to, *stopped_at_);
    const Time shown = std::min(window_.to, end.time);
    if (window_.from >= shown) return;
    const Time counted =
        write_bus_counters(view_, bus_.tracks(), end.intervals, end.interval, end.time, max_bytes_);
    if (counted < shown) stopped_at_ = counted;
}

}  // namespace symsim
