// SPDX-License-Identifier: MIT
// Who waits for each lock and who holds it, by the probe points lock_attempt, lock_acquired and
// lock_release. LockUses follows it. LockMeter sums the waits and holds; PerfettoLocks, in the
// thread of the traces, shows them.
//
// The owner of a lock is the process that the processor runs, or the processor itself. The locks of
// kernel code belong to the processor, whichever process it runs. A process may end its wait or
// hold on another processor than it began. Marks of different processors need not come in order of
// time, so each pair of lock and owner is followed on its own.
//
// If one owner acquires a lock and another releases it, the release is counted but no hold time is
// measured. The time of a wait or hold counts for the processor where it ends.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/observe/numbers.h"

namespace symsim {

// The symbol at an address; empty if there is none.
using SymbolOf = std::function<std::string(Address)>;
// A lock without a symbol is named by its address.
std::string lock_name(Address lock, const SymbolOf& symbol_of);

// A processor's number, or kMaxProcessors plus the number of a process.
using LockOwner = std::uint32_t;
constexpr std::optional<std::uint32_t> process_of(LockOwner owner) {
    if (owner < kMaxProcessors) return std::nullopt;
    return owner - kMaxProcessors;
}

// A wait, from lock_attempt to lock_acquired, or a hold, from lock_acquired to lock_release.
struct LockSpan {
    bool hold = false;
    Address lock = 0;
    LockOwner owner = 0;
    ProcessorId processor = 0;  // on which it ends
    Time from = 0;
    Time to = 0;
};

class LockUses {
  public:
    LockUses() {
        for (ProcessorId p = 0; p < kMaxProcessors; ++p) runs_[p] = p;
    }
    // Takes a probe point of a lock or process. Returns the wait or hold that it ends, if its
    // beginning was seen.
    std::optional<LockSpan> take(ProcessorId processor, const Mark& mark);
    // The lock that a processor waits for: of its last mark, if that was an attempt. If it runs a
    // process: the lock that the process attempted last and has not acquired.
    std::optional<Address> awaited(ProcessorId processor) const;
    // Calls visit(span) for each wait and hold under way, up to `at`.
    template <class Visit>
    void for_each_open(Time at, Visit&& visit) const {
        for (const auto& [key, use] : uses_) {
            const auto [lock, owner] = key;
            if (use.attempt_at != kNever)
                visit(LockSpan{false, lock, owner, use.processor, use.attempt_at, at});
            if (use.acquired_at != kNever)
                visit(LockSpan{true, lock, owner, use.processor, use.acquired_at, at});
        }
    }

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
    };
    std::optional<LockSpan> use(ProcessorId processor, const Mark& mark);

    std::map<std::pair<Address, LockOwner>, Use> uses_;
    std::array<Latest, kMaxProcessors> latest_{};
    std::array<LockOwner, kMaxProcessors> runs_{};  // owner of the locks outside kernel code
};

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
