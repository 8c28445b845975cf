// SPDX-License-Identifier: MIT
#include "sim/observe/lock_meter.h"

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
