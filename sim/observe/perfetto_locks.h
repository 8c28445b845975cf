// SPDX-License-Identifier: MIT
// The tracks of locks in trace.pftrace: which processor holds each lock, and which processors wait
// for it. The slices are the holds and waits that LockMeter measures.
//
// In both "holder" and "waiters" each processor has a track of its own. The tracks have the same
// name, so Perfetto draws them as one. On a single track, slices that overlap would have to nest.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sim/events/probe_point.h"
#include "sim/observe/perfetto_view.h"
#include "sim/observe/trace_chunk.h"

namespace symsim {

// PerfettoWriter calls take() for each event of a processor, then close() once.
class PerfettoLocks {
  public:
    PerfettoLocks(PerfettoView& view, std::function<std::string(Address)> name_of)
        : view_(view), name_of_(std::move(name_of)) {}

    void take(ProcessorId processor, const TraceEvent& event) {
        if (event.what == TraceEvent::What::probe &&
            static_cast<ProbeKind>(event.code) <= ProbeKind::lock_release)
            probe(processor, event);
    }
    // Shows waits and holds that have not ended up to `at`, marked as open.
    void close(Time at);

  private:
    // One lock on one processor. kNever: the processor is not waiting, or does not hold the lock.
    struct Entry {
        Time attempt_at = kNever;
        Time acquired_at = kNever;
        std::optional<perfetto::Track> waiter, holder;
    };
    using Key = std::pair<Address, ProcessorId>;
    void probe(ProcessorId processor, const TraceEvent& event);
    void show(const Key& key, std::optional<perfetto::Track>& track, const char* role, Time from,
              Time to, bool open);
    perfetto::Track track_of(Address lock);

    PerfettoView& view_;
    std::function<std::string(Address)> name_of_;
    std::map<Address, perfetto::Track> locks_;
    std::map<Key, Entry> entries_;
};

}  // namespace symsim
