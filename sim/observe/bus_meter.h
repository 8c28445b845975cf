// SPDX-License-Identifier: MIT
// Measures which processor used the bus, for what, and how long requests waited for it: over the
// whole run and per interval. The numbers come from the bus uses that the observer gets. Another
// interconnect than the bus may have several resources, which are used at the same time: the
// numbers of an interval are of one resource, those of the run of all together.
//
// A bus use may cross the border of an interval or the end of the run. Each interval counts the
// part of the use that is within the interval. Waiting time is divided in the same way.
//
// The bus reports a request only when it grants the request, and the request may have been posted
// any number of intervals earlier. No interval is therefore complete before the run ends, and the
// meter keeps all intervals until then. To bound their number, the meter joins neighbouring
// intervals in pairs and doubles the interval length whenever there would be more than
// kMaxIntervals. The numbers stay exact.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/observe/numbers.h"

namespace symsim {

// Of all resources together. At 168 bytes per BusInterval, at most 88 MB. With the default interval
// length of 100 us, the intervals of one resource are not joined before 52 simulated seconds.
constexpr std::size_t kMaxIntervals = std::size_t{1} << 19;

// One resource in one interval.
struct BusInterval {
    std::array<Time, kActivities> busy_by_activity{};
    std::array<Time, kTransactionKinds> busy_by_kind{};
    Time queueing = 0;               // sum over requests: time waited within this interval
    Time wait = 0;                   // the whole wait of requests granted here
    std::uint64_t transactions = 0;  // granted here

    Time busy() const;
    BusInterval& operator+=(const BusInterval& other);
};

// All resources in the whole run.
struct BusTotals {
    using ByKind = std::array<Time, kTransactionKinds>;
    using ByActivity = std::array<ByKind, kActivities>;

    unsigned resources = 1;
    Time busy = 0;
    Time held = 0;                              // of busy: blocked requests held the bus
    std::vector<ByActivity> busy_by_processor;  // [processor][activity][kind]
    std::array<std::array<std::uint64_t, kTransactionKinds>, kActivities>
        transactions_by_activity{};
    ByKind wait{};  // from post to grant of the transaction's first use
    Time max_wait = 0;
    std::uint64_t replies = 0;
    Time reply_wait = 0;  // from when memory has the data to the grant of the reply
    std::vector<std::uint64_t> transactions_by_processor;
    std::vector<Time> wait_by_processor;

    // How long the resources could have been busy in a time: what utilisations are relative to.
    Time capacity(Time elapsed) const { return elapsed * resources; }
    ByActivity busy_by_activity() const;  // summed over the processors
    std::array<std::uint64_t, kTransactionKinds> transactions() const;
    std::uint64_t all_transactions() const { return sum(transactions()); }
    Time all_wait() const { return sum(wait); }
};

// Aborts unless the busy time by processor, activity and kind, and that of the intervals, each sum
// to `totals.busy`, and the intervals' waits to the total wait. Also checks that no resource was
// busy for more than the whole run.
void check_bus(const BusTotals& totals, const std::vector<BusInterval>& intervals, Time end);

// The Recorder calls used() for each bus use in order of time, then close() once at the end of the
// run, then reads totals() and intervals().
class BusMeter {
  public:
    BusMeter(unsigned processors, Time interval, unsigned resources = 1,
             std::size_t max_intervals = kMaxIntervals);

    void used(const BusUse& use) {
        Resource& resource = resources_[use.resource];
        if (use.start < resource.free || use.duration <= 0 || !posted_before_start(use) ||
            use.processor >= processors_)
            refuse(use);
        // It has one except at its first use and after a hold.
        if (__builtin_expect(resource.last.has_value(), true)) account(resource);
        resource.last.emplace(use);
        resource.free = use.start + use.duration;
    }
    // The time for which a blocked request has held the bus (Observer::held). It is busy time of
    // the request's kind and activity, and no transaction.
    void held(const BusUse& hold);
    // Cuts the uses under way at `end`, the end of the run, and sums up. No use may follow.
    void close(Time end);

    // Valid after close().
    const BusTotals& totals() const { return totals_; }
    // In order of time; those of one time in order of resource.
    const std::vector<BusInterval>& intervals() const { return intervals_; }
    Time interval() const { return interval_; }  // the length after any doubling

  private:
    // The uses of one processor, of one kind, in one activity.
    struct Tally {
        Time busy = 0;
        Time wait = 0;
        std::uint64_t transactions = 0;
    };

    struct alignas(64) Resource {
        // The last use is accounted when the next one comes or the run ends: only the last use can
        // be cut by the end of the run.
        std::optional<BusUse> last;
        // When the last use ends; the next use may begin from here on. kNever: the interconnect has
        // no such resource.
        Time free = kNever;
        // Its interval from row_begin_ to row_end_.
        BusInterval* row = nullptr;
    };

    // Accounts a use that ends before the end of the run. Most uses are in one interval, including
    // the wait before them.
    void account(const Resource& resource) {
        const BusUse& use = *resource.last;
        if (use.posted < row_begin_ || resource.free > row_end_)
            return account_in_parts(use, resource.free, kNever);
        count(use, use.duration);
        BusInterval& row = *resource.row;
        if (!use.reply) {
            const Time wait = use.start - use.posted;
            row.queueing += wait;
            row.wait += wait;
            ++row.transactions;
        }
        add_busy(row, use, use.duration);
    }
    // Adds `busy` of the use to the sums over the run.
    void count(const BusUse& use, Time busy) {
        const Time wait = use.start - use.posted;
        Tally& tally = tally_of(use.processor, index(use.activity), index(use.kind));
        tally.busy += busy;
        if (use.reply) {
            ++totals_.replies;
            totals_.reply_wait += wait;
        } else {
            ++tally.transactions;
            tally.wait += wait;
            if (wait > totals_.max_wait) totals_.max_wait = wait;
        }
    }
    static void add_busy(BusInterval& row, const BusUse& use, Time busy) {
        row.busy_by_activity[index(use.activity)] += busy;
        row.busy_by_kind[index(use.kind)] += busy;
    }
    // Accounts the part of the use before `to`: distributes it and the wait over the intervals. The
    // run ends at `end`, so no interval may begin there or later. kNever: the run continues.
    void account_in_parts(const BusUse& use, Time to, Time end);
    // Calls add(interval, part) for each interval of the resource that overlaps [from, to).
    template <class Add>
    void spread(unsigned resource, Time from, Time to, Add add);
    void sum_up();
    Tally& tally_of(ProcessorId processor, std::size_t activity, std::size_t kind) {
        return tallies_[(processor * kActivities + activity) * kTransactionKinds + kind];
    }
    // Not before 0 either: as an unsigned number that is later than any start, which is not
    // negative.
    static bool posted_before_start(const BusUse& use) {
        return static_cast<std::uint64_t>(use.posted) <= static_cast<std::uint64_t>(use.start);
    }
    [[noreturn]] void refuse(const BusUse& use) const;
    // The resource's interval that contains `t`.
    BusInterval& at(Time t, unsigned resource) {
        if (t < row_begin_ || t >= row_end_) find_row(t);
        return *resources_[resource].row;
    }
    void find_row(Time t);
    void join_neighbours();

    Time interval_;
    std::size_t max_intervals_;
    unsigned processors_;
    // For each number that BusUse::resource can have, so that used() needs no check of it.
    std::vector<Resource> resources_;
    std::vector<Tally> tallies_;
    // count() keeps max_wait, replies and reply_wait during the run, held() the sum of all holds.
    // sum_up() fills in the other totals from the tallies at the end.
    BusTotals totals_;
    std::vector<BusInterval> intervals_;
    // Borders of the interval that at() found last; kNever: there is none. The next time is usually
    // in the same interval.
    Time row_begin_ = kNever;
    Time row_end_ = kNever;
};

}  // namespace symsim
