// SPDX-License-Identifier: MIT
// Measures how long processors wait for locks and hold them. The numbers come from the guest's
// probe points lock_attempt, lock_acquired and lock_release.
//
// Marks of different processors do not arrive in order of time, so each pair of lock and owner is
// measured on its own. If one owner acquires a lock and another releases it, the release is counted
// but no hold time is measured.
//
// The owner is a process if the processor runs one, else the processor. A process may end its wait
// or hold on another processor than it began; the time then counts for the one where it ends.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/events/observer.h"
#include "sim/observe/handoffs.h"
#include "sim/observe/lock_owner.h"
#include "sim/observe/spans.h"

namespace symsim {

// One lock, on one processor or summed over processors.
struct LockTimes {
    std::uint64_t attempts = 0;
    std::uint64_t acquisitions = 0;
    std::uint64_t releases = 0;
    Spans waits;         // from attempt to acquired, if the attempt was seen
    Spans holds;         // from acquired to release, if the acquisition was seen
    Time open_wait = 0;  // of waits that have not ended when the run ends: up to then; not in waits
    Time open_hold = 0;  // of holds that have not ended when the run ends: up to then; not in holds
    // Part of the waits: for a process that was not running. From ProcessMeter.
    Time waited_for_preempted_holder = 0;
    Handoffs handoffs;  // to the processor. From HandoffMeter, on machines of nodes

    LockTimes& operator+=(const LockTimes& other);
};

struct LockReport {
    std::string name;
    Address address = 0;
    LockTimes all;
    std::vector<std::pair<ProcessorId, LockTimes>> processors;  // with any mark for the lock
};

// Enters the stalls, by lock and processor of the waiter. The waiter may have passed no probe point
// of the lock on that processor.
void add_stalls(const std::map<std::pair<Address, ProcessorId>, Time>& stalls,
                std::vector<LockReport>& locks);

// The symbol at an address; empty if there is none.
using SymbolOf = std::function<std::string(Address)>;

// The Recorder calls passed() for each mark, then close() once, then report().
class LockMeter {
  public:
    void passed(ProcessorId processor, const Mark& mark) {
        if (mark.what != Mark::What::probe) return;
        if (mark.probe <= ProbeKind::lock_release)
            measure(processor, mark);
        else if (is_process(mark.probe))
            owners_.passed(processor, mark.probe, mark.value);
    }
    void close(Time end);
    // The lock that a processor waits for: of its last mark, if that was an attempt. If it runs a
    // process: the lock that the process attempted last and has not acquired.
    std::optional<Address> awaited(ProcessorId processor) const;

    // One report per lock, in order of address. A lock without a symbol is named by its address.
    std::vector<LockReport> report(const SymbolOf& symbol_of) const;

  private:
    // One lock and one owner. kNever: the owner is not waiting, or does not hold the lock.
    struct Use {
        Time attempt_at = kNever;
        Time acquired_at = kNever;
        ProcessorId processor = 0;  // of the last mark
    };
    // A processor's last mark: the next mark is usually about the same lock.
    struct Latest {
        Address lock = 0;
        LockOwner owner = 0;
        Use* use = nullptr;
        LockTimes* times = nullptr;
    };
    void measure(ProcessorId processor, const Mark& mark);
    Latest& latest_of(Address lock, ProcessorId processor, LockOwner owner) {
        Latest& latest = latest_[processor];
        if (!latest.times || latest.lock != lock || latest.owner != owner)
            latest = {lock, owner, &uses_[{lock, owner}], &times_[{lock, processor}]};
        return latest;
    }

    std::map<std::pair<Address, ProcessorId>, LockTimes> times_;
    std::map<std::pair<Address, LockOwner>, Use> uses_;
    std::array<Latest, kMaxProcessors> latest_{};
    LockOwners owners_;
};

}  // namespace symsim
