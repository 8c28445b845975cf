// SPDX-License-Identifier: MIT
// The tracks of locks: who holds each, and who waits for it. Each processor has a track of its own
// in both, of the same name, which Perfetto draws as one: what several processors do at once would
// otherwise have to nest. The rules are LockMeter's.
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

class PerfettoLocks {
  public:
    PerfettoLocks(PerfettoView& view, std::function<std::string(Address)> name_of)
        : view_(view), name_of_(std::move(name_of)) {}

    void take(ProcessorId processor, const TraceEvent& event) {
        if (event.what == TraceEvent::What::probe &&
            static_cast<ProbeKind>(event.code) <= ProbeKind::lock_release)
            probe(processor, event);
    }
    // What goes on is shown up to `at`, marked as open.
    void close(Time at);

  private:
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
