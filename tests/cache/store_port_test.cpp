// SPDX-License-Identifier: MIT
// When the stores of a processor occupy its cache port.
#include "sim/cache/store_port.h"

#include <gtest/gtest.h>

namespace symsim::test {
namespace {

constexpr Address kLine = 0x1000;

TEST(StorePort, IsOccupiedFromThePostingOfAStoreUntilItsCompletion) {
    StorePort port;
    EXPECT_TRUE(port.free(0));
    port.push(kLine, 4, 7);
    EXPECT_EQ(port.free_from(), kNever);
    port.performed(900);
    EXPECT_TRUE(port.buffer().empty());
    EXPECT_FALSE(port.free(899));
    EXPECT_TRUE(port.free(900));
    EXPECT_EQ(port.complete_at(), 900);
}

TEST(StorePort, IsOccupiedWhileAnotherStoreIsInTheBuffer) {
    StorePort port;
    port.push(kLine, 4, 7);
    port.push(kLine + 4, 4, 8);
    port.performed(900);
    EXPECT_EQ(port.free_from(), kNever);
    EXPECT_EQ(port.complete_at(), 900);
    port.performed(1000);
    EXPECT_EQ(port.free_from(), 1000);
}

TEST(StorePort, AStoreThatIsRolledBackLeavesThePortAsItWas) {
    StorePort port;
    port.push(kLine, 4, 7);
    port.performed(900);
    port.push(kLine, 4, 8);
    port.await_last();
    port.withdraw();
    EXPECT_FALSE(port.awaited());
    EXPECT_EQ(port.free_from(), 900);
}

TEST(StorePort, TheProcessorAsksOnceForTheStoreThatItAwaits) {
    StorePort port;
    port.push(kLine, 4, 7);
    EXPECT_FALSE(port.awaited());
    port.await_last();
    port.performed(900);
    EXPECT_TRUE(port.awaited());
    port.take_awaited();
    EXPECT_FALSE(port.awaited());
}

TEST(StorePort, ALineBroughtForAStoreIsArrivingUntilItIsThere) {
    StorePort port;
    port.push(kLine + 4, 4, 7);
    port.await_line();
    EXPECT_TRUE(port.awaits_line());
    EXPECT_FALSE(port.arriving(kLine, 500)) << "when is not known yet";
    port.line_arrives(kLine);
    port.made_in_cache(1000);
    EXPECT_FALSE(port.awaits_line());
    EXPECT_TRUE(port.arriving(kLine, 999));
    EXPECT_FALSE(port.arriving(kLine, 1000));
    EXPECT_FALSE(port.arriving(kLine + 16, 999));
}

TEST(StorePort, NoLineArrivesForAStoreOverTheInterconnect) {
    StorePort port;
    port.push(kLine, 4, 7);
    port.line_arrives(kLine);
    port.made_in_cache(1000);
    port.push(kLine, 4, 8);
    port.performed(1200);
    EXPECT_FALSE(port.arriving(kLine, 999));
}

TEST(StorePort, WithoutAStoreNoneLeaves) {
    StorePort port;
    EXPECT_DEATH(port.performed(900), "a store leaves a write buffer of 0 stores");
    EXPECT_DEATH(port.withdraw(), "a store is rolled back from a buffer of 0");
}

}  // namespace
}  // namespace symsim::test
