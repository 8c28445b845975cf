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
#include "sim/observe/events.h"

namespace symsim {

// 144 bytes each, so at most 75 MB; at the default of 100 us that is 52 simulated seconds.
constexpr std::size_t kMaxIntervals = std::size_t{1} << 19;

struct BusInterval {
    std::array<Time, kActivities> busy_by_activity{};
    std::array<Time, kKinds> busy_by_kind{};
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
    using ByKind = std::array<Time, kKinds>;
    using ByActivity = std::array<ByKind, kActivities>;

    Time busy = 0;
    std::vector<ByActivity> busy_by_processor;  // [processor][activity][kind]
    std::array<std::array<std::uint64_t, kKinds>, kActivities> transactions_by_activity{};
    ByKind wait{};  // from post to grant of the first use
    Time max_wait = 0;
    std::uint64_t replies = 0;
    Time reply_wait = 0;  // from data ready in memory to grant
    std::vector<std::uint64_t> transactions_by_processor;
    std::vector<Time> wait_by_processor;

    ByActivity busy_by_activity() const;  // summed over the processors
    std::array<std::uint64_t, kKinds> transactions() const;
    std::uint64_t all_transactions() const;
    Time all_wait() const;

    template <class Archive>
    void serialize(Archive& archive) {
        archive(busy, busy_by_processor, transactions_by_activity, wait, max_wait, replies, reply_wait,
                transactions_by_processor, wait_by_processor);
    }
};

// Aborts unless the parts, and the intervals, each sum to the time the bus was busy.
void check_bus(const BusTotals& totals, const std::vector<BusInterval>& intervals, Time end);

class BusMeter {
  public:
    BusMeter(unsigned processors, Time interval, std::size_t max_intervals = kMaxIntervals);

    void used(const BusUse& use);
    // Clips what goes on at `end`. Nothing may follow.
    void close(Time end);

    const BusTotals& totals() const { return totals_; }
    const std::vector<BusInterval>& intervals() const { return intervals_; }
    Time interval() const { return interval_; }  // as doubled

    template <class Archive>
    void serialize(Archive& archive) {
        archive(interval_, last_, free_, totals_, intervals_);
    }

  private:
    void account(const BusUse& use, Time end);
    [[noreturn]] void refuse(const BusUse& use) const;
    BusInterval& at(Time t) {
        if (t < row_begin_ || t - row_begin_ >= interval_) find_row(t);
        return intervals_[row_];
    }
    void find_row(Time t);
    void join_neighbours();
    template <class Add>
    void spread(Time from, Time to, Add add);

    Time interval_;
    std::size_t max_intervals_;
    // The last use is accounted when the next one comes or the run ends: only it can be clipped.
    std::optional<BusUse> last_;
    Time free_ = 0;  // from when on another may follow
    BusTotals totals_;
    std::vector<BusInterval> intervals_;
    // The last that was wanted: most times lie in it, which saves a division.
    std::size_t row_ = 0;
    Time row_begin_ = kNever;  // and where it begins; kNever: there is none
};

}  // namespace symsim
