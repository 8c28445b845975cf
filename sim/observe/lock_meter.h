// SPDX-License-Identifier: MIT
// Measures how long processors wait for locks and hold them: the spans of LockUses, and the counts
// of the guest's probe points lock_attempt, lock_acquired and lock_release.
//
// If one owner acquires a lock and another releases it, the release is counted but no hold time is
// measured. The time of a wait or hold counts for the processor where it ends.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/observe/lock_uses.h"
#include "sim/observe/numbers.h"

namespace symsim {

// How far a lock travelled: from who released it to who acquired it next.
struct Handoffs {
    std::uint64_t count = 0;
    std::uint64_t own_processor = 0;  // of count: the processor had released it itself
    std::uint64_t own_node = 0;       // another processor of the node had
    std::uint64_t links = 0;          // from the one's node to the other's: sum

    std::uint64_t other_nodes() const { return count - own_processor - own_node; }
    // Per handoff; 0 if there was none. With six decimals, as other ratios.
    double mean_links() const {
        return ratio(static_cast<std::int64_t>(links), static_cast<std::int64_t>(count));
    }
    Handoffs& operator+=(const Handoffs& other) {
        count += other.count;
        own_processor += other.own_processor;
        own_node += other.own_node;
        links += other.links;
        return *this;
    }
};

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

// By lock and processor.
template <class Value>
using ByLock = std::map<std::pair<Address, ProcessorId>, Value>;

struct LockReport {
    std::string name;
    Address address = 0;
    LockTimes all;
    std::vector<std::pair<ProcessorId, LockTimes>> processors;  // with any mark for the lock
};

// The Recorder calls passed() for each mark, then close() once, then report().
class LockMeter {
  public:
    void passed(ProcessorId processor, const Mark& mark) {
        if (mark.what != Mark::What::probe) return;
        if (mark.probe <= ProbeKind::lock_release || is_process(mark.probe)) take(processor, mark);
    }
    void close(Time end);
    // Enters what another meter has measured of locks.
    template <class Value>
    void enter(const ByLock<Value>& values, Value LockTimes::*member) {
        for (const auto& [key, value] : values) times_[key].*member = value;
    }
    // The lock that a processor waits for.
    std::optional<Address> awaited(ProcessorId processor) const { return uses_.awaited(processor); }

    // One report per lock, in order of address. A lock without a symbol is named by its address.
    std::vector<LockReport> report(const SymbolOf& symbol_of) const;

  private:
    // Of a processor's last mark: the next mark is usually about the same lock.
    struct Latest {
        Address lock = 0;
        LockTimes* times = nullptr;
    };
    void take(ProcessorId processor, const Mark& mark);

    LockUses uses_;
    ByLock<LockTimes> times_;
    std::array<Latest, kMaxProcessors> latest_{};
};

}  // namespace symsim
