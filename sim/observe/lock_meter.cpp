// SPDX-License-Identifier: MIT
#include "sim/observe/lock_meter.h"

#include <algorithm>

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
    waited_for_preempted_holder += other.waited_for_preempted_holder;
    handoffs += other.handoffs;
    return *this;
}

// The guest chooses the order of its probe points, so no order is an error. A second attempt
// replaces the first, which was given up. A wait or hold whose beginning was not seen is not
// measured.
void LockMeter::measure(ProcessorId processor, const Mark& mark) {
    const LockOwner owner = owners_.owner(processor, mark.activity == Activity::kernel);
    const Latest& latest = latest_of(mark.value, processor, owner);
    LockTimes& times = *latest.times;
    Use& use = *latest.use;
    use.processor = processor;
    if (mark.probe == ProbeKind::lock_attempt) {
        ++times.attempts;
        use.attempt_at = mark.time;
    } else if (mark.probe == ProbeKind::lock_acquired) {
        ++times.acquisitions;
        times.waits.add(use.attempt_at, mark.time);
        use.attempt_at = kNever;
        use.acquired_at = mark.time;
    } else {
        ++times.releases;
        times.holds.add(use.acquired_at, mark.time);
        use.acquired_at = kNever;
    }
}

std::optional<Address> LockMeter::awaited(ProcessorId processor) const {
    const LockOwner owner = owners_.owner(processor);
    if (!process_of(owner)) {
        const Latest& latest = latest_[processor];
        if (!latest.use || latest.use->attempt_at == kNever) return std::nullopt;
        return latest.lock;
    }
    std::optional<Address> awaited;
    Time attempt_at = -1;
    for (const auto& [key, use] : uses_) {
        if (key.second != owner || use.attempt_at == kNever || use.attempt_at <= attempt_at)
            continue;
        awaited = key.first;
        attempt_at = use.attempt_at;
    }
    return awaited;
}

void LockMeter::close(Time end) {
    for (auto& [key, use] : uses_) {
        LockTimes& times = times_[{key.first, use.processor}];
        if (use.attempt_at != kNever) times.open_wait += end - use.attempt_at;
        if (use.acquired_at != kNever) times.open_hold += end - use.acquired_at;
    }
}

std::vector<LockReport> LockMeter::report(const SymbolOf& symbol_of) const {
    std::vector<LockReport> locks;
    for (const auto& [key, times] : times_) {
        const auto [address, processor] = key;
        if (locks.empty() || locks.back().address != address) {
            std::string name = symbol_of ? symbol_of(address) : std::string();
            if (name.empty()) name = hex_text(address);
            locks.push_back({std::move(name), address, {}, {}});
        }
        locks.back().all += times;
        locks.back().processors.emplace_back(processor, times);
    }
    return locks;
}

void add_stalls(const std::map<std::pair<Address, ProcessorId>, Time>& stalls,
                std::vector<LockReport>& locks) {
    for (LockReport& lock : locks) {
        const auto end = stalls.lower_bound({lock.address + 1, 0});
        for (auto stall = stalls.lower_bound({lock.address, 0}); stall != end; ++stall) {
            const ProcessorId processor = stall->first.second;
            const auto place =
                std::find_if(lock.processors.begin(), lock.processors.end(),
                             [&](const auto& one) { return one.first >= processor; });
            const bool known = place != lock.processors.end() && place->first == processor;
            LockTimes& times =
                (known ? place : lock.processors.insert(place, {processor, {}}))->second;
            times.waited_for_preempted_holder = stall->second;
            lock.all.waited_for_preempted_holder += stall->second;
        }
    }
}

}  // namespace symsim
