// SPDX-License-Identifier: MIT
// The tracks of locks in trace.pftrace: which processor or process holds each lock, and which wait
// for it. The slices are the spans of LockUses.
//
// In both "holder" and "waiters" each owner has a track of its own. The tracks have the same
// name, so Perfetto draws them as one. On a single track, slices that overlap would have to nest.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "sim/observe/lock_uses.h"
#include "sim/observe/perfetto_file.h"
#include "sim/observe/trace_sink.h"

namespace symsim {

// PerfettoWriter calls take() for each event, then close() once. The events of each owner come in
// order of time.
class PerfettoLocks {
  public:
    PerfettoLocks(PerfettoView& view, SymbolOf name_of)
        : view_(view), name_of_(std::move(name_of)) {}

    void take(ProcessorId processor, const TraceEvent& event) {
        if (event.what != TraceEvent::What::probe) return;
        if (const auto ended = uses_.take(processor, mark_of(event))) show(*ended, false);
    }
    // Shows waits and holds that have not ended up to `at`, marked as open.
    void close(Time at);

  private:
    void show(const LockSpan& span, bool open);
    perfetto::Track track_of(const LockSpan& span);

    PerfettoView& view_;
    SymbolOf name_of_;
    std::map<Address, perfetto::Track> locks_;
    std::map<std::tuple<Address, LockOwner, bool>, perfetto::Track> owners_;  // bool: as holder
    LockUses uses_;
};

}  // namespace symsim
