// SPDX-License-Identifier: MIT
// Accounts each processor's simulated time. At each instant a processor is in exactly one state and
// exactly one activity, so states and activities each partition its time. Picoseconds are summed as
// integers, so the sums are exact. The numbers come from the events that the observer gets.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

struct ProcessorTimes {
    using States = std::array<Time, kProcessorStates>;
    std::array<States, kActivities> states_by_activity{};  // shows which activity the bus slowed

    States states() const;
    std::array<Time, kActivities> activities() const;
    ProcessorTimes& operator+=(const ProcessorTimes& other);
};

// Aborts unless the times sum to `end`.
void check_partition(ProcessorId processor, const ProcessorTimes& times, Time end);

// The Recorder calls passed() and enter() with events in order of time for each processor, then
// close() once, then reads processors().
class Ledger {
  public:
    // Every processor starts at time 0 in state executing and Activity::boot.
    explicit Ledger(unsigned processors);

    void passed(ProcessorId processor, const Mark& mark) {
        if (mark.what == Mark::What::activity) {
            Account& account = advance(processor, mark.time, "change of activity");
            account.now = place(mark.activity, account.state());
        } else {
            advance(processor, mark.time, "probe point");
        }
    }
    // Aborts if a halted processor enters waiting or served directly.
    void enter(ProcessorId processor, ProcessorState state, Time at) {
        Account& account = advance(processor, at, "change of state");
        if (account.state() == ProcessorState::halted &&
            (state == ProcessorState::waiting || state == ProcessorState::served))
            refuse_halted(processor, state, at);
        account.now = place(account.activity(), state);
    }
    // The processor enters the states of a wait that is over. Usually it was executing before: then
    // the three changes of state are accounted together.
    void waited(ProcessorId processor, const BusWait& wait) {
        const Time granted = std::max(wait.from, wait.granted);
        if (processor < processors_) {
            Account& account = accounts_[processor];
            if (account.state() == ProcessorState::executing && wait.from >= account.since &&
                wait.until >= granted) {
                Time* const times = &account.times[account.now];
                times[index(ProcessorState::executing)] += wait.from - account.since;
                times[index(ProcessorState::waiting)] += granted - wait.from;
                times[index(ProcessorState::served)] += wait.until - granted;
                account.since = wait.until;
                return;
            }
        }
        for_each_state(wait, [&](ProcessorState state, Time at) { enter(processor, state, at); });
    }
    // Accounts the time up to `end`, the end of the run. No event may be later than `end` or
    // follow.
    void close(Time end);

    // Valid after close().
    const std::vector<ProcessorTimes>& processors() const { return times_; }
    // The processor's state and activity after its last event.
    std::pair<ProcessorState, Activity> current(ProcessorId processor) const {
        return {accounts_[processor].state(), accounts_[processor].activity()};
    }

  private:
    // Index of a combination of activity and state in Account::times.
    static constexpr std::size_t place(Activity activity, ProcessorState state) {
        return index(activity) * kProcessorStates + index(state);
    }
    static_assert(index(ProcessorState::executing) == 0);  // the first place of each activity
    // The current state and activity of a processor, and its times so far. Aligned to a power of
    // two, so that a shift finds the account of a processor.
    struct alignas(256) Account {
        std::size_t now = place(Activity::boot, ProcessorState::executing);  // index in times
        Time since = 0;  // time of the last event: accounted up to here
        std::array<Time, kActivities * kProcessorStates> times{};

        ProcessorState state() const { return static_cast<ProcessorState>(now % kProcessorStates); }
        Activity activity() const { return static_cast<Activity>(now / kProcessorStates); }
    };
    // Accounts the time since the last event. Aborts if `at` is before the last event.
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
    std::vector<ProcessorTimes> times_;  // made from accounts_ by close()
};

}  // namespace symsim
