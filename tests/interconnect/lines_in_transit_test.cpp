// SPDX-License-Identifier: MIT
// Lines in transit alone: who has to wait for them, and until when.
#include "sim/interconnect/lines_in_transit.h"

#include <gtest/gtest.h>

namespace symsim::test {
namespace {

constexpr std::uint32_t kLineBytes = 16;
constexpr TransactionKind kRead = TransactionKind::read;
constexpr TransactionKind kStore = TransactionKind::store;
constexpr TransactionKind kLockedRead = TransactionKind::locked_read;

class LinesInTransitTest : public ::testing::Test {
  protected:
    Time until(ProcessorId port, TransactionKind kind, Address line, Time at) const {
        return lines.unavailable_until(port, kind, line, at);
    }

    LinesInTransit lines{kLineBytes};
};

TEST_F(LinesInTransitTest, ReadersShareALineThatIsInTransitToAReader) {
    lines.depart(0, kRead, 0x100, false, 10);
    EXPECT_EQ(until(1, kRead, 0x100, 20), 0);
    EXPECT_EQ(until(1, kLockedRead, 0x100, 20), kNever);
    EXPECT_EQ(until(1, kStore, 0x100, 20), kNever);
    EXPECT_EQ(until(1, kStore, 0x110, 20), 0);
    lines.arrive(0, 0x100, 30, 40, 90);
    EXPECT_EQ(until(1, kStore, 0x100, 39), 40);
    EXPECT_EQ(until(1, kStore, 0x100, 40), 0);
}

TEST_F(LinesInTransitTest, NobodyReadsALineThatComesFromAnOwnerOrChangesOwner) {
    lines.depart(0, kRead, 0x100, true, 10);
    lines.depart(0, kLockedRead, 0x200, false, 10);
    EXPECT_EQ(until(1, kRead, 0x100, 20), kNever);
    EXPECT_EQ(until(1, kRead, 0x200, 20), kNever);
    lines.arrive(0, 0x100, 30, 40, 90);
    lines.arrive(0, 0x200, 30, 95, 90);
    EXPECT_EQ(until(1, kRead, 0x100, 50), 90);
    EXPECT_EQ(until(1, kRead, 0x200, 50), 95);
}

TEST_F(LinesInTransitTest, AStoreWaitsForAllLinesThatAreInTransitToItsPort) {
    lines.depart(0, kRead, 0x100, false, 10);
    lines.depart(0, kRead, 0x200, false, 10);
    EXPECT_EQ(until(0, kStore, 0x300, 20), kNever);
    EXPECT_EQ(until(0, kRead, 0x100, 20), 0);
    lines.arrive(0, 0x100, 30, 40, 40);
    EXPECT_EQ(until(0, kStore, 0x300, 20), kNever);
    lines.arrive(0, 0x200, 35, 40, 40);
    EXPECT_EQ(until(0, kStore, 0x300, 20), 35);
    EXPECT_EQ(until(0, kStore, 0x300, 35), 0);
}

TEST_F(LinesInTransitTest, AnUnlockedLineIsUnavailableToAllForATime) {
    lines.unlocked(0x100, 10, 50);
    EXPECT_EQ(until(0, kRead, 0x100, 20), 50);
    EXPECT_EQ(until(3, kStore, 0x100, 20), 50);
    EXPECT_EQ(until(3, kStore, 0x100, 50), 0);
    lines.unlocked(0x100, 60, 60);  // for no time: the old entry is forgotten, and none is new
    EXPECT_TRUE(lines.none());
}

// The cheap test may err on the side of "unavailable", but not on the other.
TEST_F(LinesInTransitTest, OnlyLinesOfTheSameSlotMayBeUnavailable) {
    lines.depart(0, kRead, 0x100, false, 10);
    EXPECT_TRUE(lines.may_be_unavailable(1, 0x100));
    EXPECT_TRUE(lines.may_be_unavailable(1, 0x100 + kLineSlots * kLineBytes));
    EXPECT_FALSE(lines.may_be_unavailable(1, 0x110));
    EXPECT_TRUE(lines.may_be_unavailable(0, 0x110));
    EXPECT_EQ(until(1, kStore, 0x100 + kLineSlots * kLineBytes, 20), 0);
    lines.arrive(0, 0x100, 30, 40, 40);
    lines.depart(2, kRead, 0x200, false, 40);
    EXPECT_FALSE(lines.may_be_unavailable(0, 0x110));
}

TEST_F(LinesInTransitTest, WhatHasNotDepartedDoesNotArrive) {
    lines.depart(0, kRead, 0x100, false, 10);
    EXPECT_DEATH(lines.arrive(1, 0x100, 30, 40, 40), "0x100 arrives at port 1 and was not on");
    lines.arrive(0, 0x100, 30, 40, 40);
    EXPECT_DEATH(lines.arrive(0, 0x100, 30, 40, 40), "0x100 arrives at port 0 and was not on");
}

}  // namespace
}  // namespace symsim::test
