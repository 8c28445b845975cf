// SPDX-License-Identifier: MIT
// Unit tests of Cache (replacement, rollback of uses) and WriteBuffer (forwarding).
#include "sim/cache/cache.h"

#include <gtest/gtest.h>

#include "sim/cache/write_buffer.h"

namespace symsim {
namespace {

// Two sets of two ways with lines of 16 bytes: 0x00 and 0x20 share a set.
constexpr CacheGeometry kTiny{64, 2, 16};

TEST(Cache, FindsALineByAnyOfItsBytes) {
    Cache cache(kTiny);
    EXPECT_EQ(cache.find(0x105), nullptr);
    cache.install(0x105, LineState::shared, 10);
    ASSERT_NE(cache.find(0x10f), nullptr);
    EXPECT_EQ(cache.find(0x10f)->address, 0x100u);
    EXPECT_EQ(cache.find(0x110), nullptr);
    EXPECT_EQ(cache.find(0x0ff), nullptr);
}

TEST(Cache, TheLineUsedLongestAgoIsReplaced) {
    Cache cache(kTiny);
    cache.install(0x00, LineState::shared, 1);
    cache.install(0x20, LineState::shared, 2);
    cache.use(*cache.find(0x00), 3);
    cache.install(0x40, LineState::shared, 4);
    EXPECT_NE(cache.find(0x00), nullptr);
    EXPECT_EQ(cache.find(0x20), nullptr);
    EXPECT_NE(cache.find(0x40), nullptr);
}

TEST(Cache, AnInvalidWayIsFilledBeforeALineIsReplaced) {
    Cache cache(kTiny);
    cache.install(0x00, LineState::shared, 1);
    cache.install(0x20, LineState::shared, 2);
    Cache::invalidate(*cache.find(0x20));
    cache.install(0x40, LineState::shared, 3);
    EXPECT_NE(cache.find(0x00), nullptr);
    EXPECT_NE(cache.find(0x40), nullptr);
}

TEST(Cache, UsesInAWindowAreRolledBack) {
    Cache cache(kTiny);
    cache.install(0x00, LineState::shared, 1);
    cache.install(0x20, LineState::shared, 5);
    cache.begin_window(10);
    cache.use(*cache.find(0x00), 11);
    cache.use(*cache.find(0x00), 12);
    cache.roll_back_uses(0, 10);
    EXPECT_EQ(cache.find(0x00)->used, 1);
    cache.install(0x40, LineState::shared, 13);
    EXPECT_EQ(cache.find(0x00), nullptr) << "it was again the one used longest ago";
}

TEST(Cache, ARollbackKeepsAUseAtTheStartOfTheWindow) {
    Cache cache(kTiny);
    cache.install(0x00, LineState::shared, 10);
    cache.begin_window(10);
    cache.use(*cache.find(0x00), 10);
    cache.use(*cache.find(0x00), 15);
    cache.roll_back_uses(0, 10);
    EXPECT_EQ(cache.find(0x00)->used, 10);
}

TEST(Cache, UsesInASplitWindowAreRolledBackInParts) {
    Cache cache(kTiny);
    cache.install(0x00, LineState::shared, 1);
    cache.install(0x20, LineState::shared, 5);
    cache.begin_window(10);
    cache.use(*cache.find(0x00), 11);
    cache.split_window(20);
    const std::size_t before = cache.uses();
    cache.use(*cache.find(0x00), 21);
    cache.use(*cache.find(0x20), 22);
    cache.roll_back_uses(before, 20);
    EXPECT_EQ(cache.find(0x00)->used, 11);
    EXPECT_EQ(cache.find(0x20)->used, 5);
    cache.use(*cache.find(0x00), 23);
    cache.roll_back_uses(0, 10);
    EXPECT_EQ(cache.find(0x00)->used, 1);
}

// A use at the window's start is saved, and so is the next one.
TEST(Cache, ALoopThatUsedALineAtTheStartOfTheWindowRepeatsItsUseOnce) {
    Cache cache(kTiny);
    cache.install(0x00, LineState::shared, 1);
    cache.begin_window(10);
    cache.use(*cache.find(0x00), 10);
    cache.use(*cache.find(0x00), 15);
    cache.repeat_uses(0, 15, 20, 50);
    EXPECT_EQ(cache.find(0x00)->used, 65);
}

TEST(WriteBuffer, PendingBytesReplaceThoseFromMemory) {
    WriteBuffer buffer;
    buffer.push(0x101, 2, 0xBEEF);
    EXPECT_EQ(buffer.over(0x100, 4, 0x11223344), 0x11BEEF44u);
    EXPECT_EQ(buffer.over(0x102, 1, 0x22), 0xBEu);
    EXPECT_EQ(buffer.over(0x104, 4, 0x55667788), 0x55667788u);
}

TEST(WriteBuffer, TheYoungerOfTwoStoresWins) {
    WriteBuffer buffer;
    buffer.push(0x100, 4, 0x11111111);
    buffer.push(0x102, 1, 0x22);
    EXPECT_EQ(buffer.over(0x100, 4, 0), 0x11221111u);
}

TEST(WriteBuffer, DistinguishesWholeFromPartialOverlap) {
    WriteBuffer buffer;
    buffer.push(0x100, 4, 1);
    EXPECT_EQ(buffer.overlap(0x102, 2), WriteBuffer::Overlap::whole);
    EXPECT_EQ(buffer.overlap(0x104, 4), WriteBuffer::Overlap::none);
    EXPECT_EQ(buffer.overlap(0x0fe, 4), WriteBuffer::Overlap::part);
    buffer.push(0x102, 1, 2);
    EXPECT_EQ(buffer.overlap(0x100, 4), WriteBuffer::Overlap::part)
        << "two stores together are not one to forward from";
    buffer.pop();
    EXPECT_TRUE(buffer.touches(0x100, 16));
    buffer.pop();
    EXPECT_TRUE(buffer.empty());
}

}  // namespace
}  // namespace symsim
