// SPDX-License-Identifier: MIT
// Waiting for and holding of locks, from the guest's probe points. Marks of different processors
// arrive out of order in time, so each (lock, processor) is measured by itself; a lock that one
// processor acquires and another releases has its release counted, but no time of holding.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/events/observer.h"
#include "sim/observe/spans.h"

namespace symsim {

struct LockTimes {
    std::uint64_t attempts = 0;
    std::uint64_t acquisitions = 0;
    std::uint64_t releases = 0;
    Spans waits;         // attempt to acquired, where the attempt was seen
    Spans holds;         // acquired to release, where the acquisition was seen
    Time open_wait = 0;  // still waiting at the end of the run: until the end
    Time open_hold = 0;  // still held at the end of the run: until the end

    LockTimes& operator+=(const LockTimes& other);

    template <class Archive>
    void serialize(Archive& archive) {
        archive(attempts, acquisitions, releases, waits.count, holds.count, waits.sum, waits.most,
                holds.sum, holds.most, open_wait, open_hold);
    }
};

struct LockReport {
    std::string name;
    Address address = 0;
    LockTimes all;
    std::vector<std::pair<ProcessorId, LockTimes>> processors;  // those that touched it
};

using SymbolOf = std::function<std::string(Address)>;

class LockMeter {
  public:
    void passed(ProcessorId processor, const Mark& mark) {
        if (mark.what == Mark::What::probe && mark.probe <= ProbeKind::lock_release)
            measure(processor, mark);
    }
    void close(Time end);

    // In order of address; a lock whose symbol is empty is called by its address.
    std::vector<LockReport> report(const SymbolOf& symbol_of) const;

    template <class Archive>
    void serialize(Archive& archive) {
        archive(entries_);
        latest_ = {};
    }

  private:
    struct Entry {
        LockTimes times;
        Time attempt_at = kNever;
        Time acquired_at = kNever;

        template <class Archive>
        void serialize(Archive& archive) {
            archive(times, attempt_at, acquired_at);
        }
    };
    // Of each processor the one it was told of last: most often the next is of the same lock.
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
