// SPDX-License-Identifier: MIT
#include "sim/observe/lock_meter.h"

#include "sim/observe/numbers.h"

namespace symsim {

LockTimes& LockTimes::operator+=(const LockTimes& other) {
    attempts += other.attempts;
    acquisitions += other.acquisitions;
    releases += other.releases;
    waits += other.waits;
    holds += other.holds;
    open_wait += other.open_wait;
    open_hold += other.open_hold;
    return *this;
}

// The guest chooses the order of its probe points, so no order is an error. A second attempt
// replaces the first, which was given up. A wait or hold whose beginning was not seen is not
// measured.
void LockMeter::measure(ProcessorId processor, const Mark& mark) {
    Entry& entry = entry_of(mark.value, processor);
    LockTimes& times = entry.times;
    if (mark.probe == ProbeKind::lock_attempt) {
        ++times.attempts;
        entry.attempt_at = mark.time;
    } else if (mark.probe == ProbeKind::lock_acquired) {
        ++times.acquisitions;
        times.waits.add(entry.attempt_at, mark.time);
        entry.attempt_at = kNever;
        entry.acquired_at = mark.time;
    } else {
        ++times.releases;
        times.holds.add(entry.acquired_at, mark.time);
        entry.acquired_at = kNever;
    }
}

void LockMeter::close(Time end) {
    for (auto& [key, entry] : entries_) {
        if (entry.attempt_at != kNever) entry.times.open_wait = end - entry.attempt_at;
        if (entry.acquired_at != kNever) entry.times.open_hold = end - entry.acquired_at;
    }
}

std::vector<LockReport> LockMeter::report(const SymbolOf& symbol_of) const {
    std::vector<LockReport> locks;
    for (const auto& [key, entry] : entries_) {
        const auto [address, processor] = key;
        if (locks.empty() || locks.back().address != address) {
            std::string name = symbol_of ? symbol_of(address) : std::string();
            if (name.empty()) name = hex_text(address);
            locks.push_back({std::move(name), address, {}, {}});
        }
        locks.back().all += entry.times;
        locks.back().processors.emplace_back(processor, entry.times);
    }
    return locks;
}

}  // namespace symsim
