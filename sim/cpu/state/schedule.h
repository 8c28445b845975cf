// SPDX-License-Identifier: MIT
// The schedule of one processor (config keys schedule.* and preempt.*): at given positions of its
// execution it is held, its stores are held, or the timer's interrupt arrives. Positions are
// counted from the start of the run, or from the processor's first region_begin probe point with a
// given number.
//
// While a schedule is active, the processor begins each instruction and makes each access only when
// commit time has reached it. So nothing of a schedule has to be rolled back, and both engines
// follow it alike. Processors without a schedule do nothing more than before.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/schedule_entry.h"
#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

class Schedule {
  public:
    enum class State : std::uint8_t { none, awaits_region, counts, done };

    Schedule() = default;
    // Counts from the beginning of the region, or without one from the start of the run. With
    // `keeps_counting` the schedule stays active after its last entry, for readers of accesses().
    explicit Schedule(std::vector<ScheduleEntry> entries, std::optional<std::uint32_t> region = {},
                      bool keeps_counting = false)
        : state_(region ? State::awaits_region : State::counts),
          keeps_counting_(keeps_counting),
          region_(region.value_or(0)) {
        set_entries(std::move(entries));
    }

    bool present() const { return state_ != State::none; }
    bool active() const { return awaits_region() || counts(); }
    bool awaits_region() const { return state_ == State::awaits_region; }
    bool counts() const { return state_ == State::counts; }
    // Whether an entry is still to come, after the beginning of the region.
    bool has_more() const { return counts() && next_ < entries_.size(); }
    std::uint32_t region() const { return region_; }
    std::uint64_t accesses() const { return accesses_; }
    std::uint64_t instructions(std::uint64_t retired) const { return retired - first_; }
    const std::vector<EntryOutcome>& outcomes() const { return outcomes_; }

    // Replaces the entries; what has been counted stays.
    void set_entries(std::vector<ScheduleEntry> entries) {
        entries_ = std::move(entries);
        outcomes_.assign(entries_.size(), {});
        next_ = 0;
    }
    // The region begins with the instruction after `retired` ones.
    void begin_region(std::uint64_t retired) {
        state_ = State::counts;
        first_ = retired;
    }
    void access_made() { ++accesses_; }

    // The entry that is due now; null if none is.
    const ScheduleEntry* due_between_instructions(std::uint64_t retired) const {
        const ScheduleEntry* const next = next_entry(ScheduleEntry::At::instruction);
        return next && instructions(retired) >= next->number ? next : nullptr;
    }
    const ScheduleEntry* due_before_access() const {
        const ScheduleEntry* const next = next_entry(ScheduleEntry::At::access);
        return next && accesses_ + 1 >= next->number ? next : nullptr;
    }
    // That entry has its effect from `start` to `end`.
    void reach(Time start, Time end, Offset eip) {
        if (entries_[next_].what == ScheduleEntry::What::hold_stores) stores_held_until_ = end;
        outcomes_[next_++] = {true, start, end, eip};
    }
    // To be called between two instructions, at `now`.
    void end_if_over(Time now) {
        if (counts() && !keeps_counting_ && next_ == entries_.size() && now >= stores_held_until_)
            state_ = State::done;
    }

  private:
    const ScheduleEntry* next_entry(ScheduleEntry::At at) const {
        if (!counts() || next_ == entries_.size() || entries_[next_].at != at) return nullptr;
        return &entries_[next_];
    }

    State state_ = State::none;
    bool keeps_counting_ = false;
    std::uint32_t region_ = 0;    // that it awaits
    std::uint64_t first_ = 0;     // instructions retired where the count begins
    std::uint64_t accesses_ = 0;  // made since then
    std::vector<ScheduleEntry> entries_;
    std::vector<EntryOutcome> outcomes_;
    std::uint64_t next_ = 0;  // number of the next entry
    Time stores_held_until_ = 0;
};

}  // namespace symsim
