// SPDX-License-Identifier: MIT
// Follows who waits for each lock and who holds it, by the probe points lock_attempt, lock_acquired
// and lock_release. LockMeter sums the waits and holds; PerfettoLocks, in the thread of the traces,
// shows them.
//
// The owner of a lock is the process that the processor runs, or the processor itself. The locks of
// kernel code belong to the processor, whichever process it runs. A process may end its wait or
// hold on another processor than it began. Marks of different processors need not come in order of
// time, so each pair of lock and owner is followed on its own.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"

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

}  // namespace symsim
