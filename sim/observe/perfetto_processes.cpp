// SPDX-License-Identifier: MIT
#include "sim/observe/perfetto_tracks.h"

#include <fmt/format.h>

#include <algorithm>

namespace symsim {

using namespace perfetto;

namespace {

constexpr unsigned kProcessesRank = kRankAfterProcessors + 100;  // after the bus, before locks
constexpr std::size_t kSliceBytes = 512;  // the most that a slice takes, with its tracks
constexpr std::size_t kFlowBytes = 10;    // for each end of a flow
constexpr std::size_t kMostFlows = 64;    // at one slice, besides the end of one
static_assert(kMostFlows + 1 <= Event::kMostFlows);
constexpr std::uint64_t kFirstFlow = std::uint64_t{1} << 56;  // above those of message probes

bool runs(ProcessState state) {
    return state != ProcessState::preempted && state != ProcessState::ready &&
           state != ProcessState::blocked;
}

}  // namespace

void PerfettoProcesses::take(const ByTime<TraceEvent>& events) {
    for (const auto& [processor, event] : events) {
        const Mark mark = mark_of(*event);
        const auto before = timeline_.current(processor);
        timeline_.take(processor, mark);
        latest_ = mark.time;
        if (mark.what != Mark::What::probe) continue;
        if (mark.probe == ProbeKind::process_run || mark.probe == ProbeKind::process_exit)
            complete(mark.value);
        else if (is_lock(mark.probe) && before)
            complete(*before);
    }
}

void PerfettoProcesses::spent(const ProcessSpan& span) {
    kept_[span.process].spans.push_back(span);
}

void PerfettoProcesses::stalled(const LockStall& stall) {
    kept_[stall.holder].stalls.push_back(stall);
}

// The process runs, or has ended.
void PerfettoProcesses::complete(std::uint32_t process) {
    if (kept_.count(process) > 0 && !timeline_.undecided(process)) connect(process);
}

// Connects the spans in which the process did not run with the stalls because of it.
void PerfettoProcesses::connect(std::uint32_t process) {
    Kept kept = std::move(kept_[process]);
    kept_.erase(process);
    std::vector<Slice> stalls;
    for (const LockStall& s : kept.stalls) {
        Slice slice;
        slice.span = {s.waiter, ProcessState::acquire, s.processor, s.lock, s.holder, s.from, s.to};
        slice.waits_for = s.holder;
        stalls.push_back(slice);
    }
    std::sort(kept.spans.begin(), kept.spans.end(),
              [](const ProcessSpan& a, const ProcessSpan& b) { return a.from < b.from; });
    for (const ProcessSpan& span : kept.spans) {
        complete_.push_back({span});
        if (runs(span.state) || !shows(span)) continue;
        std::vector<std::uint64_t>& flows = complete_.back().flows;
        for (Slice& stall : stalls) {
            const bool within = stall.span.from >= span.from && stall.span.from < span.to;
            if (!within || flows.size() == kMostFlows || !shows(stall.span)) continue;
            flows.push_back(kFirstFlow + ++flows_);
            stall.flow = flows.back();
        }
    }
    complete_.insert(complete_.end(), stalls.begin(), stalls.end());
}

std::size_t PerfettoProcesses::most_bytes() const {
    constexpr std::size_t kEach = kSliceBytes + 2 * kFlowBytes;
    std::size_t slices = complete_.size();
    for (const auto& [process, kept] : kept_) slices += kept.spans.size() + kept.stalls.size();
    return slices * kEach;
}

void PerfettoProcesses::write() {
    const auto waits = [this](const Slice& slice) {
        return title_ && title_(slice.span.process).empty();
    };
    const auto end = std::find_if(complete_.begin(), complete_.end(), waits);
    for (auto slice = complete_.begin(); slice != end; ++slice)
        if (shows(slice->span)) show(*slice);
    complete_.erase(complete_.begin(), end);
}

void PerfettoProcesses::close(Time at) {
    end_ = at;
    timeline_.close(std::max(at, latest_));
    while (!kept_.empty()) connect(kept_.begin()->first);
    write();
}

void PerfettoProcesses::show(const Slice& slice) {
    view_.file.add_notes_of_processes();
    const ProcessSpan& span = slice.span;
    const Track track = track_of(slice);
    Event begin(Type::slice_begin, track);
    const std::string title = slice.waits_for ? fmt::format("process {}", *slice.waits_for)
                                              : std::string(name(span.state));
    begin.name(view_.file.intern(Table::names, title));
    if (runs(span.state)) begin.note(Note::processor, span.processor);
    if (span.lock != 0)
        begin.text(Note::lock, view_.file.intern(Table::strings, lock_name(span.lock)));
    if (span.holder) begin.note(Note::holder, *span.holder);
    for (const std::uint64_t flow : slice.flows) begin.flow(flow);
    if (slice.flow) begin.end_flow(*slice.flow);
    view_.slice(begin, span.from, std::min(span.to, end_), track);
}

Track PerfettoProcesses::track_of(std::uint32_t process) {
    Tracks& tracks = tracks_[process];
    if (!tracks.process)
        tracks.process = view_.file.add_track(
            {view_.machine, title_ ? title_(process) : fmt::format("process {}", process),
             kProcessesRank + process});
    return *tracks.process;
}

Track PerfettoProcesses::track_of(const Slice& slice) {
    const Track process = track_of(slice.span.process);
    if (!slice.waits_for) return process;
    Tracks& tracks = tracks_[slice.span.process];
    const auto [waits, is_new] = tracks.waits.try_emplace(slice.span.lock, 0);
    if (is_new)
        waits->second = view_.file.add_track({process, "waits for " + lock_name(slice.span.lock)});
    return waits->second;
}

const std::string& PerfettoProcesses::lock_name(Address lock) {
    std::string& name = lock_names_[lock];
    if (name.empty()) name = symsim::lock_name(lock, name_of_);
    return name;
}

}  // namespace symsim
