// SPDX-License-Identifier: MIT
#include "sim/observe/region_meter.h"

#include "sim/base/activity.h"
#include "sim/base/probe_point.h"
#include "tests/observe/support.h"

namespace symsim {
namespace {

using testing::change;
using testing::kUs;
using testing::probe;
using testing::tell;

constexpr auto kBegin = ProbeKind::region_begin;
constexpr auto kEnd = ProbeKind::region_end;

TEST(RegionMeter, MeasuresFromBeginToEndOnEachProcessor) {
    RegionMeter meter;
    tell(meter, 1, {probe(5 * kUs, kBegin, 1), probe(9 * kUs, kEnd, 1)});
    tell(meter, 0, {probe(2 * kUs, kBegin, 1), probe(3 * kUs, kEnd, 1), probe(6 * kUs, kBegin, 1)});
    tell(meter, 0, {probe(12 * kUs, kEnd, 1)});
    meter.close(20 * kUs);
    const auto regions = meter.report();
    ASSERT_EQ(regions.size(), 1u);
    const RegionReport& r = regions[0];
    EXPECT_EQ(r.number, 1u);
    EXPECT_EQ(r.processors, 2u);
    EXPECT_EQ(r.begins, 3u);
    EXPECT_EQ(r.ends, 3u);
    EXPECT_EQ(r.inside.count, 3u);
    EXPECT_EQ(r.first_begin, 2 * kUs);
    EXPECT_EQ(r.last_end, 12 * kUs);
    EXPECT_EQ(r.inside.sum, 11 * kUs);
    EXPECT_EQ(r.inside.longest, 6 * kUs);
    EXPECT_EQ(r.open, 0);
}

TEST(RegionMeter, RegionsAreSortedByNumberAndMayOverlap) {
    RegionMeter meter;
    tell(meter, 0,
         {probe(1 * kUs, kBegin, 7), probe(2 * kUs, kBegin, 3), probe(3 * kUs, kEnd, 7),
          probe(5 * kUs, kEnd, 3)});
    const auto regions = meter.report();
    ASSERT_EQ(regions.size(), 2u);
    EXPECT_EQ(regions[0].number, 3u);
    EXPECT_EQ(regions[0].inside.sum, 3 * kUs);
    EXPECT_EQ(regions[1].number, 7u);
    EXPECT_EQ(regions[1].inside.sum, 2 * kUs);
}

TEST(RegionMeter, OpenRegionIsReportedSeparately) {
    RegionMeter meter;
    tell(meter, 0, {probe(1 * kUs, kBegin, 1), probe(4 * kUs, kBegin, 1)});
    meter.close(10 * kUs);
    const auto regions = meter.report();
    EXPECT_EQ(regions[0].begins, 2u);
    EXPECT_EQ(regions[0].open, 6 * kUs) << "the second begin replaces the first";
    EXPECT_EQ(regions[0].inside.sum, 0);
    EXPECT_EQ(regions[0].last_end, -1);
}

TEST(RegionMeter, EndWithoutBeginIsCountedButNotTimed) {
    RegionMeter meter;
    tell(meter, 0, {probe(3 * kUs, kEnd, 1)});
    meter.close(5 * kUs);
    const auto regions = meter.report();
    EXPECT_EQ(regions[0].ends, 1u);
    EXPECT_EQ(regions[0].inside.count, 0u);
    EXPECT_EQ(regions[0].last_end, 3 * kUs);
    EXPECT_EQ(regions[0].first_begin, kNever);
}

TEST(RegionMeter, OtherMarksAreIgnored) {
    RegionMeter meter;
    tell(meter, 0,
         {change(1 * kUs, Activity::idle), probe(2 * kUs, ProbeKind::lock_attempt, 1),
          probe(3 * kUs, ProbeKind::thread_create, 1)});
    EXPECT_TRUE(meter.report().empty());
}

}  // namespace
}  // namespace symsim
