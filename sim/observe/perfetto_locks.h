// SPDX-License-Identifier: MIT
// The tracks of locks in trace.pftrace: which processor or process holds each lock, and which wait
// for it. The slices are the holds and waits that LockMeter measures.
//
// In both "holder" and "waiters" each owner has a track of its own. The tracks have the same
// name, so Perfetto draws them as one. On a single track, slices that overlap would have to nest.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sim/events/probe_point.h"
#include "sim/observe/lock_owner.h"
#include "sim/observe/perfetto_view.h"
#include "sim/observe/trace_chunk.h"

namespace symsim {

// PerfettoWriter calls take() for each event, then close() once. The events of each owner come in
// order of time.
class PerfettoLocks {
  public:
    PerfettoLocks(PerfettoView& view, std::function<std::string(Address)> name_of)
        : view_(view), name_of_(std::move(name_of)) {}

    void take(ProcessorId processor, const TraceEvent& event) {
        if (event.what != TraceEvent::What::probe) return;
        const auto kind = static_cast<ProbeKind>(event.code);
        if (kind <= ProbeKind::lock_release)
            probe(processor, event);
        else if (is_process(kind))
            owners_.passed(processor, kind, event.value);
    }
    // Shows waits and holds that have not ended up to `at`, marked as open.
    void close(Time at);

  private:
    // One lock and one owner. kNever: the owner is not waiting, or does not hold the lock.
    struct Entry {
        Time attempt_at = kNever;
        Time acquired_at = kNever;
        std::optional<perfetto::Track> waiter, holder;
    };
    using Key = std::pair<Address, LockOwner>;
    void probe(ProcessorId processor, const TraceEvent& event);
    void show(const Key& key, std::optional<perfetto::Track>& track, const char* role, Time from,
              Time to, bool open);
    perfetto::Track track_of(Address lock);

    PerfettoView& view_;
    std::function<std::string(Address)> name_of_;
    std::map<Address, perfetto::Track> locks_;
    std::map<Key, Entry> entries_;
    LockOwners owners_;
};

}  // namespace symsim
