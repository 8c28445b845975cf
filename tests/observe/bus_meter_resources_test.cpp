// SPDX-License-Identifier: MIT
// The bus meter of an interconnect with several resources, each used like a bus.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "sim/observe/bus_meter.h"
#include "tests/observe/support.h"

namespace symsim {
namespace {

using testing::kUs;
using testing::on;
using testing::use;

TEST(BusMeterResources, UsesOfTwoResourcesMayOverlap) {
    BusMeter meter(2, 10 * kUs, 2);
    meter.used(on(0, use(1 * kUs, 2 * kUs, 4 * kUs, 0)));
    meter.used(on(1, use(3 * kUs, 3 * kUs, 9 * kUs, 1)));
    meter.used(on(0, use(6 * kUs, 6 * kUs, 1 * kUs, 1)));
    meter.close(20 * kUs);
    // In order of time, those of one time in order of resource.
    ASSERT_EQ(meter.intervals().size(), 4u);
    EXPECT_EQ(meter.intervals()[0].busy(), 5 * kUs);
    EXPECT_EQ(meter.intervals()[1].busy(), 7 * kUs);
    EXPECT_EQ(meter.intervals()[2].busy(), 0);
    EXPECT_EQ(meter.intervals()[3].busy(), 2 * kUs);
    EXPECT_EQ(meter.intervals()[0].transactions, 2u);
    EXPECT_EQ(meter.intervals()[1].transactions, 1u);
    EXPECT_EQ(meter.intervals()[0].queueing, 1 * kUs);
    EXPECT_EQ(meter.intervals()[1].queueing, 0);
    EXPECT_EQ(meter.totals().busy, 14 * kUs);
    EXPECT_EQ(meter.totals().resources, 2u);
    EXPECT_EQ(meter.totals().capacity(20 * kUs), 40 * kUs);
    check_bus(meter.totals(), meter.intervals(), 20 * kUs);
}

TEST(BusMeterResources, TheEndOfTheRunCutsTheLastUseOfEach) {
    BusMeter meter(2, 10 * kUs, 2);
    meter.used(on(1, use(0, 11 * kUs, 8 * kUs, 1)));
    meter.used(on(0, use(0, 13 * kUs, 8 * kUs, 0)));
    meter.close(15 * kUs);
    EXPECT_EQ(meter.intervals()[2].busy(), 2 * kUs);
    EXPECT_EQ(meter.intervals()[3].busy(), 4 * kUs);
    EXPECT_EQ(meter.totals().busy, 6 * kUs);
    check_bus(meter.totals(), meter.intervals(), 15 * kUs);
}

TEST(BusMeterResources, AHoldOccupiesOneResource) {
    BusMeter meter(2, 10 * kUs, 2);
    meter.held(on(1, use(1 * kUs, 2 * kUs, 3 * kUs)));
    meter.used(on(0, use(3 * kUs, 3 * kUs, 2 * kUs)));
    meter.close(10 * kUs);
    EXPECT_EQ(meter.intervals()[0].busy(), 2 * kUs);
    EXPECT_EQ(meter.intervals()[1].busy(), 3 * kUs);
    EXPECT_EQ(meter.totals().held, 3 * kUs);
}

void expect_equal(const BusInterval& row, const BusInterval& expected) {
    EXPECT_EQ(row.busy_by_activity, expected.busy_by_activity);
    EXPECT_EQ(row.busy_by_kind, expected.busy_by_kind);
    EXPECT_EQ(row.queueing, expected.queueing);
    EXPECT_EQ(row.wait, expected.wait);
    EXPECT_EQ(row.transactions, expected.transactions);
}

void add(BusTotals& sum, const BusTotals& part) {
    sum.busy += part.busy;
    for (std::size_t k = 0; k < kTransactionKinds; ++k) sum.wait[k] += part.wait[k];
    sum.max_wait = std::max(sum.max_wait, part.max_wait);
    sum.replies += part.replies;
    sum.reply_wait += part.reply_wait;
}

// Random uses in order of their starts, of one resource without an overlap.
std::vector<BusUse> random_uses(std::mt19937& random, unsigned resources) {
    std::vector<BusUse> uses;
    std::vector<Time> free(resources);
    Time now = 0;
    for (int i = 0; i < 200; ++i) {
        const unsigned resource = random() % resources;
        const Time start = std::max(now, free[resource]) + random() % 200;
        const Time posted = start - std::min<Time>(start, random() % 20'000);
        BusUse one =
            use(posted, start, 1 + random() % 900, random() % 4,
                static_cast<TransactionKind>(random() % 8), static_cast<Activity>(random() % 7));
        one.reply = random() % 3 == 0;
        uses.push_back(on(resource, one));
        free[resource] = start + one.duration;
        now = start;
    }
    return uses;
}

TEST(BusMeterResources, EachIsMeasuredLikeABusOfItsOwn) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const unsigned resources = 2 + random() % 3;
        const Time interval = 1 + random() % 5'000;
        const std::size_t most = 1 + random() % 64;
        BusMeter together(4, interval, resources, most * resources);
        std::vector<BusMeter> apart(resources, BusMeter(4, interval, 1, most));
        const std::vector<BusUse> uses = random_uses(random, resources);
        for (const BusUse& one : uses) {
            together.used(one);
            apart[one.resource].used(on(0, one));
        }
        const Time end = uses.back().start + 1;
        together.close(end);
        check_bus(together.totals(), together.intervals(), end);
        BusTotals sum;
        for (unsigned r = 0; r < resources; ++r) {
            apart[r].close(end);
            add(sum, apart[r].totals());
            ASSERT_EQ(together.interval(), apart[r].interval());
            ASSERT_EQ(together.intervals().size(), apart[r].intervals().size() * resources);
            for (std::size_t i = 0; i < apart[r].intervals().size(); ++i)
                expect_equal(together.intervals()[i * resources + r], apart[r].intervals()[i]);
        }
        EXPECT_EQ(together.totals().busy, sum.busy);
        EXPECT_EQ(together.totals().wait, sum.wait);
        EXPECT_EQ(together.totals().max_wait, sum.max_wait);
        EXPECT_EQ(together.totals().replies, sum.replies);
        EXPECT_EQ(together.totals().reply_wait, sum.reply_wait);
    }
}

TEST(BusMeterResourcesDeathTest, OverlappingUsesOfOneResourceAbort) {
    BusMeter meter(1, kUs, 2);
    meter.used(on(1, use(0, 100, 200)));
    meter.used(on(0, use(0, 150, 300)));
    meter.used(on(1, use(0, 300, 100)));
    EXPECT_DEATH(meter.used(on(1, use(0, 399, 100))),
                 "granted at 399 ps, while the last one ends at 400");
    EXPECT_DEATH(meter.held(on(0, use(0, 449, 100))),
                 "granted at 449 ps, while the last one ends at 450");
}

TEST(BusMeterResourcesDeathTest, AResourceThatTheInterconnectDoesNotHaveAborts) {
    BusMeter meter(1, kUs, 2);
    EXPECT_DEATH(meter.used(on(2, use(0, 100, 100))), "resource 2 is used, but there are only 2");
    EXPECT_DEATH(meter.held(on(255, use(0, 0, 1))), "resource 255 is used, but there are only 2");
    EXPECT_DEATH(BusMeter(1, kUs, 0), "0 resources");
    EXPECT_DEATH(BusMeter(1, kUs, kMaxResources + 1), "257 resources");
}

TEST(BusMeterResourcesDeathTest, NoneIsBusyForMoreThanTheRun) {
    BusMeter meter(1, kUs, 2);
    meter.used(on(0, use(0, 0, 300)));
    meter.used(on(1, use(0, 0, 200)));
    meter.close(300);
    check_bus(meter.totals(), meter.intervals(), 300);  // 500 ps of 600
    EXPECT_DEATH(check_bus(meter.totals(), meter.intervals(), 299),
                 "busy 300 ps in a run of 299 ps");
}

}  // namespace
}  // namespace symsim
