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
#include "sim/events/observer.h"

namespace symsim {

struct ProcessorTimes {
    using States = std::array<Time, kProcessorStates>;
    States states{};  // these two are sums of the third
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

    void passed(ProcessorId processor, const Mark& mark) {
        if (mark.what == Mark::What::activity) {
            Account& account = advance(processor, mark.time, "change of activity");
            account.now = place(mark.activity, account.state());
        } else {
            advance(processor, mark.time, "probe point");
        }
    }
    void enter(ProcessorId processor, ProcessorState state, Time at) {
        Account& account = advance(processor, at, "change of state");
        if (account.state() == ProcessorState::halted &&
            (state == ProcessorState::waiting || state == ProcessorState::served))
            refuse_halted(processor, state, at);
        account.now = place(account.activity(), state);
    }
    // Accounts the time up to `end`, at or after every event told. Nothing may follow.
    void close(Time end);

    // Once closed.
    const std::vector<ProcessorTimes>& processors() const { return times_; }
    std::pair<ProcessorState, Activity> present(ProcessorId processor) const {
        return {accounts_[processor].state(), accounts_[processor].activity()};
    }

    template <class Archive>
    void serialize(Archive& archive) {
        archive(accounts_);
        accounts_.resize(processors_);
    }

  private:
    static constexpr std::size_t place(Activity activity, ProcessorState state) {
        return index(activity) * kProcessorStates + index(state);
    }
    // What a processor does now, and where its time went before.
    // Aligned, so that the one of a processor is found by a shift.
    struct alignas(256) Account {
        std::size_t now = place(Activity::boot, ProcessorState::executing);  // in times
        Time since = 0;  // up to here the time is accounted; no event may lie before it
        std::array<Time, kActivities * kProcessorStates> times{};

        ProcessorState state() const { return static_cast<ProcessorState>(now % kProcessorStates); }
        Activity activity() const { return static_cast<Activity>(now / kProcessorStates); }
        template <class Archive>
        void serialize(Archive& archive) {
            ProcessorState own_state = state();
            Activity own_activity = activity();
            archive(own_state, own_activity, since, times);
            now = place(own_activity, own_state);
        }
    };
    // Accounts the time since the last change; aborts if `at` lies before the last event.
    Account& advance(ProcessorId processor, Time at, const char* event) {
        if (processor >= processors_ || at < accounts_[processor].since)
            refuse(processor, event, at);
        Account& account = accounts_[processor];
        account.times[account.now] += at - account.since;
        account.since = at;
        return account;
    }
    [[noreturn]] void refuse(ProcessorId processor, const char* event, Time at) const;
    [[noreturn]] void refuse_halted(ProcessorId processor, ProcessorState state, Time at) const;

    unsigned processors_;
    std::vector<Account> accounts_;
    std::vector<ProcessorTimes> times_;  // made of them at the end
};

}  // namespace symsim
