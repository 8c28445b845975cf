// SPDX-License-Identifier: MIT
// The tracks of the guest's processes in trace.pftrace: a slice for each span of ProcessTimeline,
// and on the child track "waits for LOCK" a slice for each stall at the lock. A flow leads from the
// slice in which the holder does not run to the first 64 of these stalls.
//
// Slices of one track are written in order of time, since Perfetto would else nest slices that
// touch. So the spans of a process are kept until no earlier one can come, and until the stalls
// because of its absences are known.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/observe/by_time.h"
#include "sim/observe/lock_uses.h"
#include "sim/observe/perfetto_file.h"
#include "sim/observe/process_timeline.h"
#include "sim/observe/trace_sink.h"

namespace symsim {

// PerfettoWriter calls take() and write() for each chunk, then close() once.
class PerfettoProcesses final : private ProcessListener {
  public:
    PerfettoProcesses(PerfettoView& view, unsigned processors, SymbolOf name_of)
        : view_(view), timeline_(processors), name_of_(std::move(name_of)) {}

    // Collects the slices of the events of a chunk.
    void take(const ByTime<TraceEvent>& events);
    // An upper bound for what write() and close() would add to the file.
    std::size_t most_bytes() const;
    // Writes the slices that are complete.
    void write();
    // Shows what is under way up to `at`. Chunks from `at` on may have been taken.
    void close(Time at);

  private:
    struct Slice {
        ProcessSpan span;
        std::vector<std::uint64_t> flows = {};  // that begin at it
        // Of a stall, whose time is that of `span`: the process that was not running.
        std::optional<std::uint32_t> waits_for = {};
        std::optional<std::uint64_t> flow = {};  // that ends at it
    };
    struct Tracks {
        std::optional<perfetto::Track> process;
        std::map<Address, perfetto::Track> waits;  // by lock
    };
    // Spans of a process, and stalls because of it.
    struct Kept {
        std::vector<ProcessSpan> spans;
        std::vector<LockStall> stalls;
    };

    void spent(const ProcessSpan& span) override;
    void stalled(const LockStall& stall) override;
    void connect(std::uint32_t process);
    void complete(std::uint32_t process);
    void show(const Slice& slice);
    perfetto::Track track_of(const Slice& slice);
    const std::string& lock_name(Address lock);
    bool shows(const ProcessSpan& span) const {
        return span.from < end_ && view_.shows(span.from, std::min(span.to, end_));
    }

    PerfettoView& view_;
    ProcessTimeline timeline_;
    SymbolOf name_of_;
    std::vector<Slice> complete_;
    std::map<std::uint32_t, Kept> kept_;  // by process
    std::map<std::uint32_t, Tracks> tracks_;
    std::map<Address, std::string> lock_names_;
    std::uint64_t flows_ = 0;
    Time latest_ = 0;    // of the marks taken
    Time end_ = kNever;  // the trace shows nothing later
};

}  // namespace symsim
