// SPDX-License-Identifier: MIT
#include "sim/observe/bus_meter.h"

#include <random>

#include "sim/base/activity.h"
#include "sim/base/transaction_kind.h"
#include "tests/observe/support.h"

namespace symsim {
namespace {

using testing::kUs;
using testing::reply;
using testing::use;

TEST(BusMeter, UseAcrossABorderCountsInBothIntervals) {
    BusMeter meter(1, 10 * kUs);
    meter.used(use(9 * kUs, 9 * kUs, 3 * kUs));
    meter.close(30 * kUs);
    ASSERT_EQ(meter.intervals().size(), 3u);
    EXPECT_EQ(meter.intervals()[0].busy(), 1 * kUs);
    EXPECT_EQ(meter.intervals()[1].busy(), 2 * kUs);
    EXPECT_EQ(meter.intervals()[2].busy(), 0);
    EXPECT_EQ(meter.intervals()[0].transactions, 1u);  // counted where it was granted
    EXPECT_EQ(meter.intervals()[1].transactions, 0u);
    check_bus(meter.totals(), meter.intervals(), 30 * kUs);
}

TEST(BusMeter, OnePicosecondPastABorderIsInTheNextInterval) {
    BusMeter meter(1, 10 * kUs);
    meter.used(use(0, 0, 1 * kUs));
    meter.used(use(9 * kUs, 9 * kUs, 1 * kUs + 1));
    meter.used(use(15 * kUs, 15 * kUs, 5 * kUs));
    meter.close(30 * kUs);
    EXPECT_EQ(meter.intervals()[0].busy(), 2 * kUs);
    EXPECT_EQ(meter.intervals()[1].busy(), 5 * kUs + 1);
}

TEST(BusMeter, WaitingIsSpreadOverTheIntervalsItCovers) {
    BusMeter meter(2, 10 * kUs);
    meter.used(use(4 * kUs, 25 * kUs, kUs, 1));
    meter.close(30 * kUs);
    EXPECT_EQ(meter.intervals()[0].queueing, 6 * kUs);
    EXPECT_EQ(meter.intervals()[1].queueing, 10 * kUs);
    EXPECT_EQ(meter.intervals()[2].queueing, 5 * kUs);
    EXPECT_EQ(meter.intervals()[2].wait, 21 * kUs);  // whole wait of the request granted here
    EXPECT_EQ(meter.totals().wait_by_processor[1], 21 * kUs);
    EXPECT_EQ(meter.totals().max_wait, 21 * kUs);
    check_bus(meter.totals(), meter.intervals(), 30 * kUs);
}

TEST(BusMeter, AHoldIsBusyTimeAndNoTransaction) {
    BusMeter meter(2, 10 * kUs);
    meter.used(use(0, 2 * kUs, 3 * kUs));
    meter.held(use(4 * kUs, 7 * kUs, 5 * kUs, 1));
    meter.used(use(4 * kUs, 12 * kUs, kUs, 1));
    meter.close(20 * kUs);
    EXPECT_EQ(meter.intervals()[0].busy(), 6 * kUs);
    EXPECT_EQ(meter.intervals()[1].busy(), 3 * kUs);
    EXPECT_EQ(meter.totals().busy, 9 * kUs);
    EXPECT_EQ(meter.totals().held, 5 * kUs);
    EXPECT_EQ(meter.totals().all_transactions(), 2u);
    EXPECT_EQ(meter.totals().all_wait(), 10 * kUs);
    check_bus(meter.totals(), meter.intervals(), 20 * kUs);
}

TEST(BusMeter, UseUnderWayIsCutAtTheEndOfTheRun) {
    BusMeter meter(1, 10 * kUs);
    meter.used(use(0, 13 * kUs, 5 * kUs));
    meter.close(15 * kUs);
    ASSERT_EQ(meter.intervals().size(), 2u);
    EXPECT_EQ(meter.totals().busy, 2 * kUs);
    EXPECT_EQ(meter.intervals()[1].busy(), 2 * kUs);
    check_bus(meter.totals(), meter.intervals(), 15 * kUs);
}

TEST(BusMeter, GrantAtTheVeryEndAddsNoInterval) {
    BusMeter meter(1, 10 * kUs);
    meter.used(use(18 * kUs, 20 * kUs, kUs));
    meter.close(20 * kUs);
    ASSERT_EQ(meter.intervals().size(), 2u);
    EXPECT_EQ(meter.totals().busy, 0);
    EXPECT_EQ(meter.intervals()[1].transactions, 1u);
    EXPECT_EQ(meter.intervals()[1].queueing, 2 * kUs);
    check_bus(meter.totals(), meter.intervals(), 20 * kUs);
}

TEST(BusMeter, RunOfZeroLengthHasNoIntervals) {
    BusMeter meter(1, 10 * kUs);
    meter.close(0);
    EXPECT_TRUE(meter.intervals().empty());
    check_bus(meter.totals(), meter.intervals(), 0);
}

TEST(BusMeter, ReplyCountsAsBusyTimeButNotAsTransactionOrQueueing) {
    BusMeter meter(1, 10 * kUs);
    meter.used(use(0, 1 * kUs, 1 * kUs));
    meter.used(reply(5 * kUs, 6 * kUs, 2 * kUs));
    meter.close(10 * kUs);
    EXPECT_EQ(meter.totals().transactions()[index(TransactionKind::read)], 1u);
    EXPECT_EQ(meter.totals().replies, 1u);
    EXPECT_EQ(meter.totals().reply_wait, 1 * kUs);
    EXPECT_EQ(meter.totals().all_wait(), 1 * kUs);
    EXPECT_EQ(meter.totals().busy, 3 * kUs);
    EXPECT_EQ(meter.intervals()[0].queueing, 1 * kUs);
}

TEST(BusMeter, BusyTimeIsKeptByProcessorActivityAndKind) {
    BusMeter meter(2, 10 * kUs);
    meter.used(use(0, 0, 1 * kUs, 0, TransactionKind::fetch, Activity::boot));
    meter.used(use(0, 1 * kUs, 2 * kUs, 1, TransactionKind::store, Activity::spin));
    meter.used(use(0, 3 * kUs, 2 * kUs, 0, TransactionKind::store, Activity::spin));
    meter.close(10 * kUs);
    const auto& busy = meter.totals().busy_by_processor;
    EXPECT_EQ(busy[0][index(Activity::boot)][index(TransactionKind::fetch)], 1 * kUs);
    EXPECT_EQ(busy[1][index(Activity::spin)][index(TransactionKind::store)], 2 * kUs);
    const auto sum = meter.totals().busy_by_activity();
    EXPECT_EQ(sum[index(Activity::spin)][index(TransactionKind::store)], 4 * kUs);
    const BusInterval& row = meter.intervals()[0];
    EXPECT_EQ(row.busy_by_activity[index(Activity::spin)], 4 * kUs);
    EXPECT_EQ(row.busy_by_kind[index(TransactionKind::fetch)], 1 * kUs);
}

TEST(BusMeter, TooManyIntervalsAreJoinedInPairs) {
    BusMeter meter(1, kUs, 1, 4);
    for (Time t = 0; t < 5; ++t) meter.used(use(t * kUs, t * kUs, (t + 1) * kUs / 10));
    meter.close(5 * kUs);
    EXPECT_EQ(meter.interval(), 2 * kUs);
    ASSERT_EQ(meter.intervals().size(), 3u);
    EXPECT_EQ(meter.intervals()[0].busy(), 300'000);  // 0.1 and 0.2 us
    EXPECT_EQ(meter.intervals()[1].busy(), 700'000);  // 0.3 and 0.4 us
    EXPECT_EQ(meter.intervals()[2].busy(), 500'000);
    EXPECT_EQ(meter.intervals()[0].transactions, 2u);
    check_bus(meter.totals(), meter.intervals(), 5 * kUs);
}

TEST(BusMeter, WaitLongerThanAllIntervalsIsSpreadExactly) {
    BusMeter meter(1, kUs, 1, 4);
    meter.used(use(500'000, 13 * kUs, kUs));
    meter.close(16 * kUs);
    EXPECT_EQ(meter.interval(), 4 * kUs);
    ASSERT_EQ(meter.intervals().size(), 4u);
    EXPECT_EQ(meter.intervals()[0].queueing, 3'500'000);
    EXPECT_EQ(meter.intervals()[1].queueing, 4 * kUs);
    EXPECT_EQ(meter.intervals()[2].queueing, 4 * kUs);
    EXPECT_EQ(meter.intervals()[3].queueing, 1 * kUs);
}

// How long [from, to) and [begin, end) overlap.
Time common(Time from, Time to, Time begin, Time end) {
    return std::max<Time>(0, std::min(to, end) - std::max(from, begin));
}

// Calculates each number from its definition over all uses, and compares it with the meter's.
void expect_as_defined(const BusMeter& meter, const std::vector<BusUse>& uses, Time end) {
    BusTotals::ByKind wait{};
    std::array<std::array<std::uint64_t, kTransactionKinds>, kActivities> transactions{};
    std::vector<BusTotals::ByActivity> busy(4);
    std::vector<std::uint64_t> of_processor(4);
    std::vector<Time> wait_of_processor(4);
    std::vector<BusInterval> rows(meter.intervals().size());
    Time max_wait = 0, reply_wait = 0;
    std::uint64_t replies = 0;
    for (const BusUse& use : uses) {
        const std::size_t a = index(use.activity), k = index(use.kind);
        const Time to = std::min(use.start + use.duration, end), waited = use.start - use.posted;
        busy[use.processor][a][k] += to - use.start;
        for (std::size_t n = 0; n < rows.size(); ++n) {
            const Time begin = static_cast<Time>(n) * meter.interval();
            const Time border = begin + meter.interval();
            rows[n].busy_by_activity[a] += common(use.start, to, begin, border);
            rows[n].busy_by_kind[k] += common(use.start, to, begin, border);
            if (!use.reply) rows[n].queueing += common(use.posted, use.start, begin, border);
        }
        if (use.reply) {
            ++replies;
            reply_wait += waited;
            continue;
        }
        ++transactions[a][k];
        ++of_processor[use.processor];
        wait[k] += waited;
        wait_of_processor[use.processor] += waited;
        max_wait = std::max(max_wait, waited);
        BusInterval& row = rows[std::min(use.start, end - 1) / meter.interval()];
        ++row.transactions;
        row.wait += waited;
    }
    const BusTotals& totals = meter.totals();
    EXPECT_EQ(totals.busy_by_processor, busy);
    EXPECT_EQ(totals.transactions_by_activity, transactions);
    EXPECT_EQ(totals.transactions_by_processor, of_processor);
    EXPECT_EQ(totals.wait, wait);
    EXPECT_EQ(totals.wait_by_processor, wait_of_processor);
    EXPECT_EQ(totals.max_wait, max_wait);
    EXPECT_EQ(totals.replies, replies);
    EXPECT_EQ(totals.reply_wait, reply_wait);
    for (std::size_t n = 0; n < rows.size(); ++n) {
        SCOPED_TRACE(n);
        const BusInterval& row = meter.intervals()[n];
        EXPECT_EQ(row.busy_by_activity, rows[n].busy_by_activity);
        EXPECT_EQ(row.busy_by_kind, rows[n].busy_by_kind);
        EXPECT_EQ(row.queueing, rows[n].queueing);
        EXPECT_EQ(row.wait, rows[n].wait);
        EXPECT_EQ(row.transactions, rows[n].transactions);
    }
}

TEST(BusMeter, RandomUsesMatchTheDefinitionsForAnyIntervalLength) {
    for (unsigned seed = 0; seed < 50; ++seed) {
        std::mt19937 random(seed);
        BusMeter meter(4, 1 + random() % 5'000, 1, 1 + random() % 64);
        Time now = 0;
        std::vector<BusUse> uses;
        for (int i = 0; i < 200; ++i) {
            const Time start = now + random() % 500;
            const Time duration = 1 + random() % 900;
            const Time posted = start - std::min<Time>(start, random() % 20'000);
            BusUse one = use(posted, start, duration, random() % 4,
                             static_cast<TransactionKind>(random() % 8),
                             static_cast<Activity>(random() % 7));
            one.reply = random() % 3 == 0;
            meter.used(one);
            uses.push_back(one);
            now = start + duration;
        }
        const Time end = now - random() % 2;
        meter.close(end);
        SCOPED_TRACE(seed);
        check_bus(meter.totals(), meter.intervals(), end);  // aborts on an error
        EXPECT_EQ(meter.intervals().size(),
                  static_cast<std::size_t>((end + meter.interval() - 1) / meter.interval()));
        expect_as_defined(meter, uses, end);
    }
}

TEST(BusMeterDeathTest, OverlappingUsesAbort) {
    BusMeter meter(1, kUs);
    meter.used(use(0, 0, 200));
    meter.used(use(0, 200, 100));
    EXPECT_DEATH(meter.used(use(0, 299, 100)), "granted at 299 ps, while the last one ends at 300");
}

TEST(BusMeterDeathTest, GrantBeforeThePostOrAfterTheEndAborts) {
    BusMeter meter(1, kUs);
    EXPECT_DEATH(meter.used(use(101, 100, 100)), "granted at 100 ps was posted at 101 ps");
    meter.used(use(0, 100, 100));
    EXPECT_DEATH(meter.close(99), "after the end of the run at 99 ps");
}

TEST(BusMeterDeathTest, CheckBusFindsAnImbalance) {
    BusMeter meter(1, kUs);
    meter.used(use(0, 100, 300));
    meter.close(kUs);
    BusTotals totals = meter.totals();
    totals.busy_by_processor[0][index(Activity::kernel)][index(TransactionKind::unlock)] += 1;
    EXPECT_DEATH(check_bus(totals, meter.intervals(), kUs),
                 "busy 300 ps, but by processor, activity and kind 301 ps");
    auto intervals = meter.intervals();
    intervals[0].busy_by_activity[0] -= 1;
    EXPECT_DEATH(check_bus(meter.totals(), intervals, kUs), "299 ps by activity");
    intervals = meter.intervals();
    intervals[0].queueing -= 1;
    EXPECT_DEATH(check_bus(meter.totals(), intervals, kUs), "waited 100 ps, but 99 ps summed");
}

}  // namespace
}  // namespace symsim
