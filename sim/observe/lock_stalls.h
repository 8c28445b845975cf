// SPDX-License-Identifier: MIT
// Finds the time for which processes wait for a lock on a processor, while the process that they
// wait for has none. They wait for the holder of the lock. If the lock is free, they wait for the
// process that acquires it next: in a queue lock this process has been given the lock, and the
// others are behind it.
//
//   holder H    ══ section ══╪── preempted ──╪═ section ═╪ release
//   waiter W    ── spins ────┼── spins ──────┼── spins ──┼──╪ preempted ╪══ acquired
//   waiter V    ── spins ────┼── spins ──────┼── spins ──┼──┼── spins ──┼── spins
//                            └ stall of W, V ┘              └ stall of V┘
//                              because of H                   because of W
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

struct LockStall {
    Address lock = 0;
    std::uint32_t waiter = 0;
    ProcessorId processor = 0;  // of the waiter
    std::uint32_t holder = 0;   // that was not running: it had the lock, or was the next to have it
    Time from = 0;
    Time to = 0;
};

// A time for which a process was not running.
struct Absence {
    Time from = 0;
    Time to = 0;
};

class StallListener {
  public:
    virtual ~StallListener() = default;
    // Stalls at a free lock are known when it is acquired; others when the wait or its cause ends.
    virtual void stalled(const LockStall& stall) = 0;
};

// ProcessTimeline makes the calls, in order of time. The listener is notified within the calls.
class LockStalls {
  public:
    explicit LockStalls(StallListener& listener) : listener_(listener) {}

    // A process begins to wait for the lock on a processor; it ends or interrupts its wait.
    void wait(Address lock, std::uint32_t process, ProcessorId processor, Time at);
    void stop_waiting(Address lock, std::uint32_t process, Time at);
    // A process acquires the lock. `absences`: when it was not running since its attempt, in order.
    void acquired(Address lock, std::uint32_t process, const std::vector<Absence>& absences,
                  Time at);
    void released(Address lock, std::uint32_t process, Time at);
    // A process that may hold the lock stops running, or runs again.
    void runs(Address lock, std::uint32_t process, bool running, Time at);

    // The process that acquired the lock last, unless it has released it.
    std::optional<std::uint32_t> holder(Address lock) const;

  private:
    struct Waiter {
        ProcessorId processor = 0;
        Time since = 0;
    };
    struct Wait {
        std::uint32_t process = 0;
        Waiter waiter;
        Time until = 0;
    };
    struct Lock {
        std::optional<std::uint32_t> holder;
        bool holder_runs = false;
        Time since = 0;                           // holder and holder_runs are as they are
        std::map<std::uint32_t, Waiter> waiters;  // by process; only those that run
        std::vector<Wait> waits;  // while the lock is free: waits since then that have ended
    };
    void report(Address address, std::uint32_t holder, const Wait& wait, const Absence& absence);
    // Before holder or holder_runs change: reports the stalls up to `at`.
    void end_phase(Address address, Lock& lock, Time at);

    StallListener& listener_;
    std::map<Address, Lock> locks_;
};

}  // namespace symsim
