// SPDX-License-Identifier: MIT
#include "sim/observe/perfetto_tracks.h"

#include <fmt/format.h>

namespace symsim {

using namespace perfetto;

namespace {
constexpr unsigned kLocksRank = 1'000;  // after all other tracks, in order of first use
constexpr const char* kHolder = "holder";
constexpr const char* kWaiters = "waiters";
}  // namespace

void PerfettoLocks::close(Time at) {
    uses_.for_each_open(at, [this](const LockSpan& span) { show(span, true); });
}

// The track of the owner, as holder or among those that wait.
Track PerfettoLocks::track_of(const LockSpan& span) {
    const auto [own, is_new] = owners_.try_emplace({span.lock, span.owner, span.hold}, 0);
    if (!is_new) return own->second;
    const auto [lock, is_new_lock] = locks_.try_emplace(span.lock, 0);
    if (is_new_lock) {
        const std::string name = lock_name(span.lock, name_of_);
        const auto rank = static_cast<unsigned>(kLocksRank + locks_.size());
        lock->second = view_.file.add_track({view_.machine, "lock " + name, rank});
    }
    own->second = view_.file.add_track({lock->second, span.hold ? kHolder : kWaiters, !span.hold});
    return own->second;
}

void PerfettoLocks::show(const LockSpan& span, bool open) {
    if (!view_.shows(span.from, span.to)) return;
    const Track track = track_of(span);
    Event begin(perfetto::Type::slice_begin, track);
    if (const auto process = process_of(span.owner)) {
        begin.name(view_.file.intern(Table::names, fmt::format("process {}", *process)));
    } else {
        begin.name(view_.file.intern(Table::names, fmt::format("processor {}", span.owner)));
        begin.note(Note::processor, span.owner);
    }
    if (open || span.to > view_.window.to) begin.note(Note::open, 1);
    view_.slice(begin, span.from, span.to, track);
}

}  // namespace symsim
