// SPDX-License-Identifier: MIT
// The stages of a fill, and which line comes of it.
#include "sim/cache/cache_port.h"

#include <gtest/gtest.h>

#include "sim/protocol/protocols.h"

namespace symsim::test {
namespace {

constexpr Address kLine = 0x1000;
const Protocol& kProtocol = protocols::illinois;

Fill answered(bool shared) {
    Fill fill;
    fill.request(TransactionKind::read, kLine);
    fill.answered(kProtocol, shared);
    return fill;
}

TEST(Fill, IsUnderWayFromItsAnswerUntilItIsTaken) {
    Fill fill;
    EXPECT_FALSE(fill.under_way());
    fill.request(TransactionKind::read, kLine);
    EXPECT_FALSE(fill.under_way());
    fill.answered(kProtocol, false);
    EXPECT_TRUE(fill.under_way());
    EXPECT_FALSE(fill.arrived());
    fill.arrive(kLine, 7);
    EXPECT_TRUE(fill.arrived());
    EXPECT_TRUE(fill.under_way());
    EXPECT_EQ(fill.io_value(), 7u);
    fill.take();
    EXPECT_FALSE(fill.arrived());
    EXPECT_FALSE(fill.under_way());
}

TEST(Fill, IsSharedIfTheAnswerSaysSoOrIfItIsSnoopedLater) {
    for (const bool snooped : {false, true})
        for (const bool shared : {false, true}) {
            Fill fill = answered(shared);
            if (snooped) fill.snooped(LineState::shared);
            EXPECT_EQ(fill.state(), snooped || shared ? LineState::shared : LineState::exclusive);
        }
}

TEST(Fill, OnlyAnAnsweredFillArrives) {
    Fill fill;
    fill.request(TransactionKind::read, kLine);
    EXPECT_DEATH(fill.arrive(kLine, 0),
                 "a reply of 0x1000 to a read of 0x1000 that is not granted");
    fill.answered(kProtocol, false);
    fill.arrive(kLine, 0);
    EXPECT_DEATH(fill.arrive(kLine, 0), "a reply of 0x1000 to a read of 0x1000 that has arrived");
}

// A read that has arrived for an access that was not made after all is forgotten.
TEST(Fill, OnlyOneIsUnderWay) {
    Fill fill = answered(false);
    EXPECT_DEATH(fill.request(TransactionKind::fetch, 0x2000),
                 "a read of 0x2000 while one of 0x1000 is under way");
    fill.arrive(kLine, 0);
    fill.request(TransactionKind::fetch, 0x2000);
    EXPECT_FALSE(fill.under_way());
}

}  // namespace
}  // namespace symsim::test
