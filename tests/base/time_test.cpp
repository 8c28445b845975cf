// SPDX-License-Identifier: MIT
#include "sim/base/time.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace symsim {
namespace {

static_assert(Clock(62'500).edge_after(62'500) == 125'000);
static_assert(Clock(62'500).edge_at_or_after(62'500) == 62'500);
static_assert(Clock(62'500).edge_at_or_after(62'501) == 125'000);

// Those of clocks, small ones, each power of two with its neighbours, and any.
std::vector<Time> periods() {
    std::vector<Time> all{62'500, 100'000, 30'303, 20'000, 10'000'000'000, 99'999'999'977};
    for (Time small = 1; small < 300; ++small) all.push_back(small);
    for (int bit = 2; bit < 61; ++bit)
        for (const Time by : {-1, 0, 1}) all.push_back((Time{1} << bit) + by);
    std::mt19937_64 random(1);
    for (int n = 0; n < 2'000; ++n)
        all.push_back(static_cast<Time>(random() >> (3 + random() % 60)) + 1);
    return all;
}

// What the machine's division says, wherever the edge it comes to can still be told.
void expect_as_divided(Time period, Time t) {
    const Clock clock(period);
    if (t < 0 || t > kNever - period) return;
    ASSERT_EQ(clock.edge_after(t), (t / period + 1) * period) << period << " " << t;
    ASSERT_EQ(clock.edge_at_or_after(t), (t + period - 1) / period * period) << period << " " << t;
}

TEST(Clock, EdgesAreThoseOfADivision) {
    std::mt19937_64 random(2);
    for (const Time period : periods()) {
        const Time most = kNever / period;  // multiples
        std::vector<Time> multiples{0, 1, 2, 3, most - 2, most - 1, most};
        for (int bit = 2; bit < 63; ++bit) multiples.push_back(Time{1} << bit);
        for (int n = 0; n < 200; ++n)
            multiples.push_back(static_cast<Time>(random() >> (1 + random() % 63)));
        for (const Time multiple : multiples) {
            if (multiple < 0 || multiple > most) continue;
            for (const Time by : {-2, -1, 0, 1, 2}) {
                const Time t = multiple * period;
                if (by <= 0 || t <= kNever - by) expect_as_divided(period, t + by);
            }
        }
        for (const Time t : {kNever - period, kNever - period - 1}) expect_as_divided(period, t);
        for (int n = 0; n < 200; ++n)
            expect_as_divided(period, static_cast<Time>(random() >> (1 + random() % 63)));
        if (HasFatalFailure()) return;
    }
}

TEST(Clock, EachTimeOfAFewPeriodsHasItsEdges) {
    for (Time period = 1; period < 200; ++period)
        for (Time t = 0; t < 5 * period; ++t) expect_as_divided(period, t);
}

}  // namespace
}  // namespace symsim
