// SPDX-License-Identifier: MIT
// The lines that an instruction has locked, and how their locks end.
#include "sim/cache/locked_lines.h"

#include <gtest/gtest.h>

namespace symsim::test {
namespace {

constexpr Address kLine = 0x1000;
constexpr Address kOther = 0x1010;

TEST(LockedLines, AreAddedAndRemovedOneByOne) {
    LockedLines lines;
    EXPECT_FALSE(lines.has(kLine));
    lines.add(kLine, true);
    lines.add(kOther, false);
    EXPECT_TRUE(lines.has(kLine));
    EXPECT_FALSE(lines.remove(kOther).on_bus);
    EXPECT_FALSE(lines.has(kOther));
    EXPECT_TRUE(lines.remove(kLine).on_bus);
    EXPECT_EQ(lines.size(), 0u);
}

TEST(LockedLines, TheOnlyStoreToTheOnlyLineEndsItsLock) {
    LockedLines lines;
    lines.add(kLine, true);
    EXPECT_FALSE(lines.end_by_store(kOther));
    EXPECT_TRUE(lines.end_by_store(kLine));
    EXPECT_TRUE(lines.remove(kLine).ended_by_store);
}

TEST(LockedLines, NoStoreEndsALockThatTwoStoresNeed) {
    LockedLines lines;
    EXPECT_FALSE(lines.add_dword(kLine)) << "not locked yet";
    lines.add(kLine, true);
    EXPECT_TRUE(lines.add_dword(kLine));
    EXPECT_FALSE(lines.end_by_store(kLine));
    EXPECT_FALSE(lines.remove(kLine).ended_by_store);
}

TEST(LockedLines, NoStoreEndsOneOfTwoLocksOrALockInTheCache) {
    LockedLines lines;
    lines.add(kLine, false);
    EXPECT_FALSE(lines.end_by_store(kLine));
    lines.clear();
    lines.add(kLine, true);
    lines.add(kOther, true);
    EXPECT_FALSE(lines.end_by_store(kLine));
    EXPECT_FALSE(lines.all()[0].ended_by_store);
}

TEST(LockedLines, ALineIsLockedOnceAndUnlockedOnlyIfLocked) {
    LockedLines lines;
    EXPECT_DEATH(lines.remove(kLine), "unlocks 0x1000, which is not locked");
    lines.add(kLine, true);
    EXPECT_DEATH(lines.add(kLine, false), "locks 0x1000 twice");
}

}  // namespace
}  // namespace symsim::test
