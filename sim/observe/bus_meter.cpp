// SPDX-License-Identifier: MIT
#include "sim/observe/bus_meter.h"

#include <algorithm>

#include "sim/base/failure.h"
#include "sim/observe/numbers.h"

namespace symsim {

Time BusInterval::busy() const {
    return sum(busy_by_kind);
}

BusInterval& BusInterval::operator+=(const BusInterval& other) {
    for (std::size_t a = 0; a < kActivities; ++a) busy_by_activity[a] += other.busy_by_activity[a];
    for (std::size_t k = 0; k < kTransactionKinds; ++k) busy_by_kind[k] += other.busy_by_kind[k];
    queueing += other.queueing;
    wait += other.wait;
    transactions += other.transactions;
    return *this;
}

BusTotals::ByActivity BusTotals::busy_by_activity() const {
    ByActivity all{};
    for (const ByActivity& processor : busy_by_processor)
        for (std::size_t a = 0; a < kActivities; ++a)
            for (std::size_t k = 0; k < kTransactionKinds; ++k) all[a][k] += processor[a][k];
    return all;
}

std::array<std::uint64_t, kTransactionKinds> BusTotals::transactions() const {
    std::array<std::uint64_t, kTransactionKinds> all{};
    for (const auto& activity : transactions_by_activity)
        for (std::size_t k = 0; k < kTransactionKinds; ++k) all[k] += activity[k];
    return all;
}

void check_bus(const BusTotals& totals, const std::vector<BusInterval>& intervals, Time end) {
    Time parts = 0;
    for (const auto& kinds : totals.busy_by_activity()) parts += sum(kinds);
    Time by_kind = 0;
    Time by_activity = 0;
    Time queueing = 0;
    std::vector<Time> by_resource(totals.resources);
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        const BusInterval& row = intervals[i];
        by_resource[i % totals.resources] += row.busy();
        by_kind += row.busy();
        by_activity += sum(row.busy_by_activity);
        queueing += row.queueing;
    }
    if (parts != totals.busy || by_kind != totals.busy || by_activity != totals.busy) {
        impossible(
            "bus: busy {} ps, but by processor, activity and kind {} ps; intervals sum to {} ps by "
            "kind and {} ps by activity",
            totals.busy, parts, by_kind, by_activity);
    }
    if (queueing != totals.all_wait()) {
        impossible("bus: requests waited {} ps, but {} ps summed over the intervals",
                   totals.all_wait(), queueing);
    }
    for (const Time busy : by_resource)
        if (busy > end) impossible("bus: busy {} ps in a run of {} ps", busy, end);
}

BusMeter::BusMeter(unsigned processors, Time interval, unsigned resources,
                   std::size_t max_intervals)
    : interval_(interval),
      max_intervals_(max_intervals / std::max(resources, 1u)),
      processors_(processors),
      resources_(kMaxResources),
      tallies_(processors * kActivities * kTransactionKinds) {
    if (interval <= 0 || max_intervals_ == 0 || resources == 0 || resources > kMaxResources)
        impossible("bus meter: interval of {} ps, at most {} of them, {} resources", interval,
                   max_intervals, resources);
    totals_.resources = resources;
    for (unsigned r = 0; r < resources; ++r) resources_[r].free = 0;
}

void BusMeter::refuse(const BusUse& use) const {
    if (use.resource >= totals_.resources)
        impossible("bus: resource {} is used, but there are only {}", use.resource,
                   totals_.resources);
    const Time free = resources_[use.resource].free;
    if (use.start < free || use.duration <= 0)
        impossible("bus: a use of {} ps granted at {} ps, while the last one ends at {} ps",
                   use.duration, use.start, free);
    if (use.posted < 0 || use.posted > use.start)
        impossible("bus: a use granted at {} ps was posted at {} ps", use.start, use.posted);
    impossible("bus: used by processor {}, but there are only {}", use.processor, processors_);
}

void BusMeter::held(const BusUse& hold) {
    Resource& resource = resources_[hold.resource];
    if (hold.start < resource.free || hold.duration <= 0 || hold.processor >= processors_)
        refuse(hold);
    if (resource.last) account(resource);
    resource.last.reset();
    resource.free = hold.start + hold.duration;
    tally_of(hold.processor, index(hold.activity), index(hold.kind)).busy += hold.duration;
    totals_.held += hold.duration;
    spread(hold.resource, hold.start, resource.free,
           [&](BusInterval& row, Time part) { add_busy(row, hold, part); });
}

void BusMeter::close(Time end) {
    for (Resource& resource : resources_) {
        if (!resource.last) continue;
        const BusUse& last = *resource.last;
        if (last.start > end)
            impossible("bus: granted at {} ps, after the end of the run at {} ps", last.start, end);
        account_in_parts(last, std::min(resource.free, end), end);
        resource.last.reset();
    }
    if (end > 0) at(end - 1, 0);
    sum_up();
}

void BusMeter::sum_up() {
    totals_.busy_by_processor.resize(processors_);
    totals_.transactions_by_processor.resize(processors_);
    totals_.wait_by_processor.resize(processors_);
    for (ProcessorId p = 0; p < processors_; ++p)
        for (std::size_t a = 0; a < kActivities; ++a)
            for (std::size_t k = 0; k < kTransactionKinds; ++k) {
                const Tally& tally = tally_of(p, a, k);
                totals_.busy_by_processor[p][a][k] = tally.busy;
                totals_.busy += tally.busy;
                totals_.transactions_by_activity[a][k] += tally.transactions;
                totals_.transactions_by_processor[p] += tally.transactions;
                totals_.wait[k] += tally.wait;
                totals_.wait_by_processor[p] += tally.wait;
            }
}

void BusMeter::account_in_parts(const BusUse& use, Time to, Time end) {
    count(use, to - use.start);
    if (!use.reply) {
        spread(use.resource, use.posted, use.start,
               [](BusInterval& row, Time part) { row.queueing += part; });
        // A request granted at the very end of the run counts in the last interval.
        if (end > 0) {
            BusInterval& row = at(std::min(use.start, end - 1), use.resource);
            ++row.transactions;
            row.wait += use.start - use.posted;
        }
    }
    spread(use.resource, use.start, to,
           [&](BusInterval& row, Time part) { add_busy(row, use, part); });
}

void BusMeter::find_row(Time t) {
    auto number = static_cast<std::size_t>(t / interval_);
    for (; number >= max_intervals_; number /= 2) join_neighbours();
    const std::size_t first = number * totals_.resources;
    if (first >= intervals_.size()) intervals_.resize(first + totals_.resources);
    for (unsigned r = 0; r < totals_.resources; ++r) resources_[r].row = &intervals_[first + r];
    row_begin_ = static_cast<Time>(number) * interval_;
    row_end_ = row_begin_ + interval_;
}

// Only find_row() may call this function: it makes Resource::row invalid, and find_row() sets it
// again.
void BusMeter::join_neighbours() {
    const std::size_t resources = totals_.resources;
    const std::size_t times = intervals_.size() / resources;
    std::vector<BusInterval> joined((times + 1) / 2 * resources);
    for (std::size_t i = 0; i < intervals_.size(); ++i)
        joined[i / resources / 2 * resources + i % resources] += intervals_[i];
    intervals_ = std::move(joined);
    interval_ *= 2;
}

template <class Add>
void BusMeter::spread(unsigned resource, Time from, Time to, Add add) {
    while (from < to) {
        BusInterval& row = at(from, resource);
        const Time border = std::min(to, row_end_);
        add(row, border - from);
        from = border;
    }
}

}  // namespace symsim
