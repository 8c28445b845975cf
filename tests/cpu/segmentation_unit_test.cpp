// SPDX-License-Identifier: MIT
// The segmentation unit with the paging unit under it, without the rest of a processor.
#include "sim/cpu/mmu/segmentation_unit.h"

#include <gtest/gtest.h>

#include "tests/cpu/bench.h"
#include "tests/support/part_configs.h"

namespace symsim::test {
namespace {

class Unit final : public SegmentationUnit {
  public:
    explicit Unit(CacheController& cache) : SegmentationUnit(0, test_processor_config(), cache) {}
    using PagingUnit::find_in_tlb;
    using PagingUnit::Translation;
    Tlb& tlb() { return tlb_; }
};

class SegmentationUnitTest : public testing::Test {
  protected:
    static constexpr bool kRead = false, kWrite = true;
    static constexpr LinearAddress kLinear = 0x40'0000;
    static constexpr Address kPhysical = 0x20'4000;

    void map(bool user, bool writable, bool dirty) {
        unit.system().cr0 |= cr0::kPaging;
        unit.system_changed();
        unit.tlb().fill({kLinear, kPhysical, user, writable, dirty});
    }

    Bench bench;
    Unit unit{bench.cache};
    Address found = 0;
};

TEST_F(SegmentationUnitTest, FindsAnOperandOfAFlatSegmentAtItsOffset) {
    EXPECT_TRUE(unit.finds(ds, 0x1234, 4, kWrite, found));
    EXPECT_EQ(found, 0x1234u);
}

TEST_F(SegmentationUnitTest, AddsTheBaseOfASegmentAndChecksItsLimit) {
    unit.system().segments[ds] = {0x1000, 0xfff, 0x10, kReadWriteData, true};
    unit.system_changed();
    EXPECT_TRUE(unit.finds(ds, 0xffc, 4, kWrite, found));
    EXPECT_EQ(found, 0x1ffcu);
    EXPECT_FALSE(unit.finds(ds, 0xffd, 4, kWrite, found));
}

TEST_F(SegmentationUnitTest, FindsAnOperandOfAPageOnlyIfTheTlbHasIt) {
    map(false, true, true);
    EXPECT_TRUE(unit.finds(ds, kLinear + 0x123, 1, kWrite, found));
    EXPECT_EQ(found, kPhysical + 0x123);
    EXPECT_FALSE(unit.finds(ds, kLinear + 0x1000, 1, kRead, found));
    unit.flush_tlb(kLinear);
    EXPECT_FALSE(unit.finds(ds, kLinear, 1, kRead, found));
}

// That write walks the page tables, to set the dirty bit there.
TEST_F(SegmentationUnitTest, DoesNotFindTheFirstWriteToAPage) {
    map(false, true, false);
    EXPECT_TRUE(unit.finds(ds, kLinear, 4, kRead, found));
    EXPECT_FALSE(unit.finds(ds, kLinear, 4, kWrite, found));
    EXPECT_EQ(unit.find_in_tlb(kLinear, {true, false}, found), Unit::Translation::not_in_tlb);
}

TEST_F(SegmentationUnitTest, Ring3NeedsAPageOfItsOwn) {
    map(false, true, true);
    unit.system().cpl = 3;
    EXPECT_FALSE(unit.finds(ds, kLinear, 4, kRead, found));
    EXPECT_EQ(unit.find_in_tlb(kLinear, {false, true}, found), Unit::Translation::not_allowed);
    map(true, false, true);
    EXPECT_TRUE(unit.finds(ds, kLinear, 4, kRead, found));
    EXPECT_FALSE(unit.finds(ds, kLinear, 4, kWrite, found));
}

TEST_F(SegmentationUnitTest, AReadThatMissesWaitsAndIsNotLogged) {
    unit.core().limit = kMillisecond;
    std::uint32_t value = 0;
    EXPECT_FALSE(unit.read<4>(Op{}, kPhysical, value));
    EXPECT_EQ(unit.core().stop_reason, StopReason::waiting);
    EXPECT_EQ(unit.context().accesses, 0u);
}

TEST_F(SegmentationUnitTest, AReadBeyondTheLimitRaisesAnException) {
    unit.system().segments[ds].limit = 0xfff;
    unit.system_changed();
    unit.core().limit = kMillisecond;
    std::uint32_t value = 0;
    EXPECT_FALSE(unit.read<4>(Op{}, 0xffd, value));
    EXPECT_EQ(unit.core().stop_reason, StopReason::raised);
    EXPECT_EQ(unit.system().event.vector, static_cast<std::uint8_t>(Fault::general_protection));
}

}  // namespace
}  // namespace symsim::test
