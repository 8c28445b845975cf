// SPDX-License-Identifier: MIT
// Who used the bus, for what, and who waited for it: over the whole run and per interval.
//
// A use may cross borders of intervals and the end of the run; every interval gets the part that
// lies within it. So does waiting. A request is told only when it is granted and may have been
// posted any number of intervals earlier, so no interval is ever final: all are kept until the
// end. To bound them, neighbours are joined two by two and the interval doubles whenever there
// would be more than kMaxIntervals; the numbers stay exact.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/events/observer.h"

namespace symsim {

// 144 bytes each, so at most 75 MB; at the default of 100 us that is 52 simulated seconds.
constexpr std::size_t kMaxIntervals = std::size_t{1} << 19;

struct BusInterval {
    std::array<Time, kActivities> busy_by_activity{};
    std::array<Time, kTransactionKinds> busy_by_kind{};
    Time queueing = 0;               // sum over requests of the time each waited in this interval
    Time wait = 0;                   // whole wait of the requests granted in this interval
    std::uint64_t transactions = 0;  // granted in this interval

    Time busy() const;
    BusInterval& operator+=(const BusInterval& other);
    template <class Archive>
    void serialize(Archive& archive) {
        archive(busy_by_activity, busy_by_kind, queueing, wait, transactions);
    }
};

struct BusTotals {
    using ByKind = std::array<Time, kTransactionKinds>;
    using ByActivity = std::array<ByKind, kActivities>;

    Time busy = 0;
    std::vector<ByActivity> busy_by_processor;  // [processor][activity][kind]
    std::array<std::array<std::uint64_t, kTransactionKinds>, kActivities>
        transactions_by_activity{};
    ByKind wait{};  // from post to grant of the first use
    Time max_wait = 0;
    std::uint64_t replies = 0;
    Time reply_wait = 0;  // from data ready in memory to grant
    std::vector<std::uint64_t> transactions_by_processor;
    std::vector<Time> wait_by_processor;

    ByActivity busy_by_activity() const;  // summed over the processors
    std::array<std::uint64_t, kTransactionKinds> transactions() const;
    std::uint64_t all_transactions() const;
    Time all_wait() const;
};

// Aborts unless the parts, and the intervals, each sum to the time the bus was busy.
void check_bus(const BusTotals& totals, const std::vector<BusInterval>& intervals, Time end);

class BusMeter {
  public:
    BusMeter(unsigned processors, Time interval, std::size_t max_intervals = kMaxIntervals);

    void used(const BusUse& use) {
        if (use.start < free_ || use.duration <= 0 || use.posted < 0 || use.posted > use.start ||
            use.processor >= processors_)
            refuse(use);
        if (last_) account(*last_);
        last_.emplace(use);
        free_ = use.start + use.duration;
    }
    // Clips what goes on at `end`. Nothing may follow.
    void close(Time end);

    // Once closed.
    const BusTotals& totals() const { return totals_; }
    const std::vector<BusInterval>& intervals() const { return intervals_; }
    Time interval() const { return interval_; }  // as doubled

    template <class Archive>
    void serialize(Archive& archive) {
        archive(interval_, last_, free_, tallies_, totals_.busy, totals_.max_wait, totals_.replies,
                totals_.reply_wait, intervals_);
    }

  private:
    // Of one processor's uses of one kind in one activity.
    struct Tally {
        Time busy = 0;
        Time wait = 0;
        std::uint64_t transactions = 0;

        template <class Archive>
        void serialize(Archive& archive) {
            archive(busy, wait, transactions);
        }
    };

    // A use that is over before the end of the run. Most lie in one interval, waiting included.
    void account(const BusUse& use) {
        const Time to = use.start + use.duration;
        count(use, to);
        if (use.posted < row_begin_ || to > row_end_) return spread(use, to, kNever);
        if (!use.reply) {
            const Time wait = use.start - use.posted;
            row_->queueing += wait;
            row_->wait += wait;
            ++row_->transactions;
        }
        add_busy(*row_, use, use.duration);
    }
    // In the sums over the run.
    void count(const BusUse& use, Time to) {
        const Time wait = use.start - use.posted;
        Tally& tally = tally_of(use.processor, index(use.activity), index(use.kind));
        tally.busy += to - use.start;
        totals_.busy += to - use.start;
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
    // Over the intervals; a run that ends at `end` has none behind.
    void spread(const BusUse& use, Time to, Time end);
    template <class Add>
    void spread(Time from, Time to, Add add);
    void sum_up();
    Tally& tally_of(ProcessorId processor, std::size_t activity, std::size_t kind) {
        return tallies_[(processor * kActivities + activity) * kTransactionKinds + kind];
    }
    [[noreturn]] void refuse(const BusUse& use) const;
    BusInterval& at(Time t) {
        if (t < row_begin_ || t >= row_end_) find_row(t);
        return *row_;
    }
    void find_row(Time t);
    void join_neighbours();

    Time interval_;
    std::size_t max_intervals_;
    unsigned processors_;
    // The last use is accounted when the next one comes or the run ends: only it can be clipped.
    std::optional<BusUse> last_;
    Time free_ = 0;  // from when on another may follow
    std::vector<Tally> tallies_;
    // Made of the tallies at the end, but for busy, max_wait and those of replies.
    BusTotals totals_;
    std::vector<BusInterval> intervals_;
    // The last that was wanted: most times lie in it.
    BusInterval* row_ = nullptr;
    Time row_begin_ = kNever;  // where it begins; kNever: there is none
    Time row_end_ = kNever;
};

}  // namespace symsim
