// SPDX-License-Identifier: MIT
// Measures how long processors wait for locks and hold them. The numbers come from the guest's
// probe points lock_attempt, lock_acquired and lock_release.
//
// Marks of different processors do not arrive in order of time, so each pair of lock and processor
// is measured on its own. If one processor acquires a lock and another releases it, the release is
// counted but no hold time is measured.
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

    LockTimes& operator+=(const LockTimes& other);

    template <class Archive>
    void serialize(Archive& archive) {
        archive(attempts, acquisitions, releases, waits.count, holds.count, waits.sum,
                waits.longest, holds.sum, holds.longest, open_wait, open_hold);
    }
};

struct LockReport {
    std::string name;
    Address address = 0;
    LockTimes all;
    std::vector<std::pair<ProcessorId, LockTimes>> processors;  // with any mark for the lock
};

// The symbol at an address; empty if there is none.
using SymbolOf = std::function<std::string(Address)>;

// The Recorder calls passed() for each mark, then close() once, then report().
class LockMeter {
  public:
    void passed(ProcessorId processor, const Mark& mark) {
        if (mark.what == Mark::What::probe && mark.probe <= ProbeKind::lock_release)
            measure(processor, mark);
    }
    void close(Time end);
    // The lock that a processor waits for: of its last mark, if that was an attempt.
    std::optional<Address> awaited(ProcessorId processor) const {
        const Latest& latest = latest_[processor];
        if (!latest.entry || latest.entry->attempt_at == kNever) return std::nullopt;
        return latest.lock;
    }

    // One report per lock, in order of address. A lock without a symbol is named by its address.
    std::vector<LockReport> report(const SymbolOf& symbol_of) const;

    template <class Archive>
    void serialize(Archive& archive) {
        std::vector<Address> locks;
        for (const Latest& latest : latest_) locks.push_back(latest.lock);
        archive(entries_, locks);
        locks.resize(latest_.size());
        for (ProcessorId p = 0; p < latest_.size(); ++p) {
            const auto entry = entries_.find({locks[p], p});
            latest_[p] = {locks[p], entry == entries_.end() ? nullptr : &entry->second};
        }
    }
    // Throws StateError unless the loaded times are before `at`.
    void check_loaded(unsigned processors, Time at) const;

  private:
    // One lock on one processor. kNever: the processor is not waiting, or does not hold the lock.
    struct Entry {
        LockTimes times;
        Time attempt_at = kNever;
        Time acquired_at = kNever;

        template <class Archive>
        void serialize(Archive& archive) {
            archive(times, attempt_at, acquired_at);
        }
    };
    // The entry of a processor's last mark: the next mark is usually about the same lock.
    struct Latest {
        Address lock = 0;
        Entry* entry = nullptr;
    };
    void measure(ProcessorId processor, const Mark& mark);
    Entry& entry_of(Address lock, ProcessorId processor) {
        Latest& latest = latest_[processor];
        if (!latest.entry || latest.lock != lock) latest = {lock, &entries_[{lock, processor}]};
        return *latest.entry;
    }

    std::map<std::pair<Address, ProcessorId>, Entry> entries_;
    std::array<Latest, kMaxProcessors> latest_{};
};

}  // namespace symsim
