// SPDX-License-Identifier: MIT
// The recorder and its meters: checks of a state that was loaded from a checkpoint file.
#include <algorithm>

#include "sim/base/saved_state.h"
#include "sim/observe/recorder.h"

namespace symsim {

namespace {

// Of spans that ended before `at`, on one processor.
void check_spans(const Spans& spans, Time at) {
    require(spans.sum >= 0 && spans.sum <= at && spans.longest >= 0 && spans.longest <= spans.sum,
            "a measured time is {} ps, the longest part {} ps", spans.sum, spans.longest);
}

// Of something under way; kNever: it is not.
void check_begin(Time begin, Time at) {
    require(begin == kNever || (begin >= 0 && begin <= at), "a measured time begins at {} ps",
            begin);
}

template <class Times>
void add_all(const Times& times, CheckedSum& sum) {
    for (const Time time : times) sum.add(time);
}

}  // namespace

void Ledger::check_loaded(Time at) const {
    for (const Account& account : accounts_) {
        CheckedSum sum;
        add_all(account.times, sum);
        require(account.since >= 0 && account.since <= at && sum.sum() == account.since,
                "the times of a processor sum to {} ps, up to {} ps", sum.sum(), account.since);
    }
}

void BusMeter::check_loaded(Time at, Time interval) const {
    require(tallies_.size() == processors_ * kActivities * kTransactionKinds,
            "the bus has {} tallies", tallies_.size());
    Time joined = interval;
    while (joined < interval_ && joined < kNever / 2) joined *= 2;
    require(interval_ == joined, "an interval of the bus is {} ps", interval_);
    const std::size_t times = intervals_.size() / totals_.resources;
    require(intervals_.size() % totals_.resources == 0 && times <= max_intervals_ &&
                times <= static_cast<std::size_t>(at / interval_) + 1,
            "the bus has {} intervals", intervals_.size());
    CheckedSum busy, wait, by_kind, by_activity, queueing;
    for (const Tally& tally : tallies_) {
        busy.add(tally.busy);
        wait.add(tally.wait);
    }
    std::vector<CheckedSum> by_resource(totals_.resources);
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
        const BusInterval& row = intervals_[i];
        add_all(row.busy_by_kind, by_kind);
        add_all(row.busy_by_kind, by_resource[i % totals_.resources]);
        add_all(row.busy_by_activity, by_activity);
        queueing.add(row.queueing);
        require(row.wait >= 0, "a wait for the bus is {} ps", row.wait);
    }
    require(busy.sum() == totals_.busy && by_kind.sum() == totals_.busy &&
                by_activity.sum() == totals_.busy && queueing.sum() == wait.sum(),
            "the bus was busy {} ps; its parts sum to {} ps, {} ps and {} ps", totals_.busy,
            busy.sum(), by_kind.sum(), by_activity.sum());
    require(totals_.max_wait >= 0 && totals_.max_wait <= at && totals_.reply_wait >= 0,
            "the longest wait for the bus was {} ps", totals_.max_wait);
    require(totals_.held >= 0 && totals_.held <= totals_.busy, "the bus was held {} ps of {} ps",
            totals_.held, totals_.busy);
    for (unsigned r = 0; r < totals_.resources; ++r)
        check_loaded(resources_[r], by_resource[r].sum(), at);
}

// `busy`: for which the resource's uses that have been accounted have occupied it.
void BusMeter::check_loaded(const Resource& resource, Time busy, Time at) const {
    // The last use is not accounted yet.
    const Time before = resource.last ? resource.last->start : resource.free;
    require(busy <= before, "the bus was busy {} ps before {} ps", busy, before);
    if (!resource.last)  // a hold came after the last use
        return require(
            resource.free >= 0 && resource.free <= at && (resource.free == 0 || totals_.held > 0),
            "the bus is free at {} ps", resource.free);
    const BusUse& use = *resource.last;
    require(index(use.kind) < kTransactionKinds && index(use.activity) < kActivities &&
                use.processor < processors_,
            "the last use of the bus is of kind {}, activity {}, processor {}", index(use.kind),
            index(use.activity), use.processor);
    require(use.start >= 0 && use.start <= at && use.posted >= 0 && use.posted <= use.start &&
                use.duration > 0 && use.duration <= kMillisecond &&
                resource.free == use.start + use.duration,
            "the last use of the bus was posted at {} ps, began at {} ps and took {} ps",
            use.posted, use.start, use.duration);
}

void LockMeter::check_loaded(unsigned processors, Time at) const {
    // Processes on one processor may wait for a lock at the same time.
    bool processes = false;
    for (const auto& [key, use] : uses_) {
        const bool known = process_of(key.second) || key.second < processors;
        require(known && use.processor < processors, "processor {} has a lock", use.processor);
        check_begin(use.attempt_at, at);
        check_begin(use.acquired_at, at);
        processes = processes || process_of(key.second);
    }
    for (const auto& [key, times] : times_) {
        require(key.second < processors, "processor {} has a lock", key.second);
        for (const Spans* spans : {&times.waits, &times.holds})
            check_spans(*spans, processes ? std::max(at, spans->sum) : at);
    }
}

void RegionMeter::check_loaded(unsigned processors, Time at) const {
    for (const auto& [key, entry] : entries_) {
        require(key.second < processors, "processor {} has a region", key.second);
        check_spans(entry.region.inside, at);
        check_begin(entry.began, at);
        check_begin(entry.region.first_begin, at);
        require(entry.region.last_end >= -1 && entry.region.last_end <= at,
                "a region ended at {} ps", entry.region.last_end);
    }
}

void Recorder::check_loaded(Time at) const {
    ledger_.check_loaded(at);
    bus_.check_loaded(at, interval_);
    locks_.check_loaded(processors_, at);
    regions_.check_loaded(processors_, at);
    threads_.check_loaded(at);
    if (process_meter_) process_meter_->check_loaded(processors_, at);
    if (calls_) calls_->check_loaded(processors_, at);
    if (spaces_) spaces_->check_loaded(processors_, at);
    if (distance_) distance_->check_loaded(processors_, at, interval_, bus_);
}

}  // namespace symsim
