// SPDX-License-Identifier: MIT
#include "sim/observe/lock_meter.h"

#include "sim/observe/numbers.h"

namespace symsim {

std::string lock_name(Address lock, const SymbolOf& symbol_of) {
    const std::string name = symbol_of ? symbol_of(lock) : std::string();
    return name.empty() ? hex_text(lock) : name;
}

std::optional<LockSpan> LockUses::take(ProcessorId processor, const Mark& mark) {
    switch (mark.probe) {
        case ProbeKind::lock_attempt:
        case ProbeKind::lock_acquired:
        case ProbeKind::lock_release:
            return use(processor, mark);
        case ProbeKind::process_run:
            runs_[processor] = kMaxProcessors + mark.value;
            break;
        case ProbeKind::process_preempt:
        case ProbeKind::process_yield:
        case ProbeKind::process_block:
        case ProbeKind::process_exit:
            runs_[processor] = processor;
            break;
        default:
            break;
    }
    return std::nullopt;
}

// The guest chooses the order of its probe points, so no order is an error. A second attempt
// replaces the first, which was given up.
std::optional<LockSpan> LockUses::use(ProcessorId processor, const Mark& mark) {
    const LockOwner owner = mark.activity == Activity::kernel ? processor : runs_[processor];
    Latest& latest = latest_[processor];
    if (!latest.use || latest.lock != mark.value || latest.owner != owner)
        latest = {mark.value, owner, &uses_[{mark.value, owner}]};
    Use& use = *latest.use;
    use.processor = processor;
    if (mark.probe == ProbeKind::lock_attempt) {
        use.attempt_at = mark.time;
        return std::nullopt;
    }
    const bool hold = mark.probe == ProbeKind::lock_release;
    const Time from = std::exchange(hold ? use.acquired_at : use.attempt_at, kNever);
    if (!hold) use.acquired_at = mark.time;
    if (from == kNever) return std::nullopt;
    return LockSpan{hold, mark.value, owner, processor, from, mark.time};
}

std::optional<Address> LockUses::awaited(ProcessorId processor) const {
    const LockOwner owner = runs_[processor];
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

void LockMeter::take(ProcessorId processor, const Mark& mark) {
    const std::optional<LockSpan> ended = uses_.take(processor, mark);
    if (mark.probe > ProbeKind::lock_release) return;
    Latest& latest = latest_[processor];
    if (!latest.times || latest.lock != mark.value)
        latest = {mark.value, &times_[{mark.value, processor}]};
    LockTimes& times = *latest.times;
    if (mark.probe == ProbeKind::lock_attempt)
        ++times.attempts;
    else
        ++(mark.probe == ProbeKind::lock_acquired ? times.acquisitions : times.releases);
    if (ended) (ended->hold ? times.holds : times.waits).add(ended->from, ended->to);
}

void LockMeter::close(Time end) {
    uses_.for_each_open(end, [this](const LockSpan& span) {
        LockTimes& times = times_[{span.lock, span.processor}];
        (span.hold ? times.open_hold : times.open_wait) += span.to - span.from;
    });
}

std::vector<LockReport> LockMeter::report(const SymbolOf& symbol_of) const {
    std::vector<LockReport> locks;
    for (const auto& [key, times] : times_) {
        const auto [address, processor] = key;
        if (locks.empty() || locks.back().address != address)
            locks.push_back({lock_name(address, symbol_of), address, {}, {}});
        locks.back().all += times;
        locks.back().processors.emplace_back(processor, times);
    }
    return locks;
}

}  // namespace symsim
