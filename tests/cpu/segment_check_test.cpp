// SPDX-License-Identifier: MIT
// System::allows(): an operand against the type and the limit of its segment.
#include <gtest/gtest.h>

#include "sim/cpu/state/system.h"

namespace symsim::test {
namespace {

constexpr std::uint8_t kReadOnlyData = 0x91;
constexpr std::uint8_t kExpandDownData = 0x97;  // writable
constexpr std::uint8_t kExecuteOnlyCode = 0x99;

System with(const Segment& segment) {
    System system = System::flat();
    system.segments[ds] = segment;
    return system;
}

constexpr bool kRead = false, kWrite = true;

TEST(SegmentCheck, AllowsAnOperandThatEndsAtTheLimit) {
    const System system = with({0, 0xfff, 0x10, kReadWriteData, true});
    EXPECT_TRUE(system.allows(ds, 0xffc, 4, kWrite));
    EXPECT_FALSE(system.allows(ds, 0xffd, 4, kWrite));
    EXPECT_TRUE(system.allows(ds, 0xfff, 1, kRead));
}

TEST(SegmentCheck, DoesNotWrapRoundTheEndOfTheAddressSpace) {
    const System system = with({0x1000, 0xffff'ffff, 0x10, kReadWriteData, true});
    EXPECT_TRUE(system.allows(ds, 0xffff'fffc, 4, kRead));
    EXPECT_FALSE(system.allows(ds, 0xffff'fffd, 4, kRead));
}

TEST(SegmentCheck, AnExpandDownSegmentAllowsWhatIsBeyondItsLimit) {
    System system = with({0, 0xfff, 0x10, kExpandDownData, true});
    EXPECT_FALSE(system.allows(ds, 0xfff, 1, kRead));
    EXPECT_TRUE(system.allows(ds, 0x1000, 4, kWrite));
    EXPECT_TRUE(system.allows(ds, 0x1'0000, 4, kWrite));
    system.segments[ds].big = false;
    EXPECT_TRUE(system.allows(ds, 0xfffc, 4, kWrite));
    EXPECT_FALSE(system.allows(ds, 0xfffd, 4, kWrite));
}

TEST(SegmentCheck, TheTypeSaysWhatMayBeReadAndWritten) {
    EXPECT_FALSE(with({}).allows(ds, 0, 1, kRead)) << "a null segment";
    const System read_only = with({0, 0xfff, 0x10, kReadOnlyData, true});
    EXPECT_TRUE(read_only.allows(ds, 0, 4, kRead));
    EXPECT_FALSE(read_only.allows(ds, 0, 4, kWrite));
    EXPECT_FALSE(with({0, 0xfff, 0x08, kExecuteOnlyCode, true}).allows(ds, 0, 4, kRead));
    EXPECT_TRUE(with({0, 0xfff, 0x08, kReadExecuteCode, true}).allows(ds, 0, 4, kRead));
}

TEST(SegmentCheck, InRealModeCodeMayBeWritten) {
    System system = with({0, 0xffff, 0, kReadExecuteCode, false});
    EXPECT_FALSE(system.allows(ds, 0, 2, kWrite));
    system.cr0 &= ~cr0::kProtection;
    EXPECT_TRUE(system.allows(ds, 0, 2, kWrite));
}

}  // namespace
}  // namespace symsim::test
