// SPDX-License-Identifier: MIT
#include "sim/observe/perfetto_locks.h"

#include <fmt/format.h>

#include "sim/events/probe_point.h"
#include "sim/observe/numbers.h"

namespace symsim {

using perfetto::Event;
using perfetto::Note;
using perfetto::Table;
using perfetto::Track;

namespace {
constexpr unsigned kLocksRank = 1'000;  // after all other tracks, in order of first use
constexpr const char* kHolder = "holder";
constexpr const char* kWaiters = "waiters";
}  // namespace

void PerfettoLocks::probe(ProcessorId processor, const TraceEvent& event) {
    const auto kind = static_cast<ProbeKind>(event.code);
    const Key key{event.value, owners_.owner(processor, event.in_kernel)};
    Entry& entry = entries_[key];
    if (kind == ProbeKind::lock_attempt) {
        entry.attempt_at = event.time;
    } else if (kind == ProbeKind::lock_acquired) {
        if (entry.attempt_at != kNever)
            show(key, entry.waiter, kWaiters, entry.attempt_at, event.time, false);
        entry.attempt_at = kNever;
        entry.acquired_at = event.time;
    } else {
        if (entry.acquired_at != kNever)
            show(key, entry.holder, kHolder, entry.acquired_at, event.time, false);
        entry.acquired_at = kNever;
    }
}

void PerfettoLocks::close(Time at) {
    for (auto& [key, entry] : entries_) {
        if (entry.attempt_at != kNever)
            show(key, entry.waiter, kWaiters, entry.attempt_at, at, true);
        if (entry.acquired_at != kNever)
            show(key, entry.holder, kHolder, entry.acquired_at, at, true);
    }
}

Track PerfettoLocks::track_of(Address lock) {
    const auto [known, is_new] = locks_.try_emplace(lock, 0);
    if (is_new) {
        std::string name = name_of_ ? name_of_(lock) : std::string();
        if (name.empty()) name = hex_text(lock);
        const auto rank = static_cast<unsigned>(kLocksRank + locks_.size());
        known->second = view_.file.add_track({view_.machine, "lock " + name, rank});
    }
    return known->second;
}

void PerfettoLocks::show(const Key& key, std::optional<Track>& track, const char* role, Time from,
                         Time to, bool open) {
    if (!view_.shows(from, to)) return;
    if (!track) track = view_.file.add_track({track_of(key.first), role, role == kWaiters});
    Event begin(perfetto::Type::slice_begin, *track);
    if (const auto process = process_of(key.second)) {
        begin.name(view_.file.intern(Table::names, fmt::format("process {}", *process)));
    } else {
        begin.name(view_.file.intern(Table::names, fmt::format("processor {}", key.second)));
        begin.note(Note::processor, key.second);
    }
    if (open || to > view_.window.to) begin.note(Note::open, 1);
    view_.slice(begin, from, to, *track);
}

}  // namespace symsim
