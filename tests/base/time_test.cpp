// SPDX-License-Identifier: MIT
// The edges of clocks.
#include "sim/base/time.h"

#include <gtest/gtest.h>

namespace symsim {
namespace {

static_assert(Clock(62'500).edge_after(62'500) == 125'000);
static_assert(Clock(62'500).edge_at_or_after(62'500) == 62'500);
static_assert(Clock(62'500).edge_at_or_after(62'501) == 125'000);
// Arithmetic that overflows is not a constant expression.
static_assert(Clock(62'500).edge_at_or_after(kNever) == kNever);
static_assert(Clock(62'500).edge_after(kNever) == kNever);
static_assert(Clock(62'500).edge_at_or_after(kNever - 62'499) == kNever);
static_assert(Clock(1).edge_after(kNever - 1) == kNever);

// Each edge must be a whole multiple of the period, and the earliest one that fits.
void expect_edges(Time period, Time t) {
    const Clock clock(period);
    const Time after = clock.edge_after(t), at_or_after = clock.edge_at_or_after(t);
    EXPECT_EQ(after % period, 0) << period << " " << t;
    EXPECT_TRUE(after > t && after - period <= t) << period << " " << t;
    EXPECT_EQ(at_or_after % period, 0) << period << " " << t;
    EXPECT_TRUE(at_or_after >= t && at_or_after - period < t) << period << " " << t;
}

TEST(Clock, EdgesAreRightForAllTimesOfAFewPeriods) {
    for (Time period = 1; period < 100; ++period)
        for (Time t = 0; t < 5 * period; ++t) expect_edges(period, t);
}

// Times near the largest that a run can reach.
TEST(Clock, EdgesAreRightForLateTimes) {
    for (const Time period : {20'000, 30'303, 62'500, 100'000})
        for (Time t = kNever - 3 * period; t < kNever - 2 * period; t += period / 7)
            expect_edges(period, t);
}

}  // namespace
}  // namespace symsim
