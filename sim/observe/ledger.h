// SPDX-License-Identifier: MIT
// Where each processor's time went. A processor is at each instant in one state and one activity,
// so states and activities each partition its time; picoseconds are summed as integers and the
// sums are exact.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/observe/events.h"

namespace symsim {

struct ProcessorTimes {
    using States = std::array<Time, kStates>;
    States states{};  // these two are sums of the third, made at the end
    std::array<Time, kActivities> activities{};
    std::array<States, kActivities> states_by_activity{};  // which activity was slowed by the bus

    template <class Archive>
    void serialize(Archive& archive) {
        archive(states, activities, states_by_activity);
    }
};

// Aborts unless states, activities and their combinations each sum to `end`.
void check_partition(ProcessorId processor, const ProcessorTimes& times, Time end);

class Ledger {
  public:
    // Every processor starts at time 0, executing, in Activity::boot.
    explicit Ledger(unsigned processors);

    void passed(ProcessorId processor, const std::vector<Mark>& marks);
    void enter(ProcessorId processor, State state, Time at);
    // Accounts the time up to `end`, at or after every event told. Nothing may follow.
    void close(Time end);

    const std::vector<ProcessorTimes>& processors() const { return times_; }
    std::pair<State, Activity> present(ProcessorId processor) const {
        return {present_[processor].state, present_[processor].activity};
    }

    template <class Archive>
    void serialize(Archive& archive) {
        archive(present_, times_);
    }

  private:
    struct Present {
        State state = State::executing;
        Activity activity = Activity::boot;
        Time since = 0;  // up to here the time is accounted; no event may lie before it

        template <class Archive>
        void serialize(Archive& archive) {
            archive(state, activity, since);
        }
    };
    // Accounts the time since the last change; aborts if `at` lies before the last event.
    Present& advance(ProcessorId processor, Time at, const char* event) {
        if (processor >= present_.size() || at < present_[processor].since)
            refuse(processor, at, event);
        Present& now = present_[processor];
        times_[processor].states_by_activity[index(now.activity)][index(now.state)] +=
            at - now.since;
        now.since = at;
        return now;
    }
    [[noreturn]] void refuse(ProcessorId processor, Time at, const char* event) const;

    std::vector<Present> present_;
    std::vector<ProcessorTimes> times_;
};

}  // namespace symsim
