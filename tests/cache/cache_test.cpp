// SPDX-License-Identifier: MIT
// Unit tests of Cache (replacement, log of uses) and WriteBuffer (forwarding).
#include "sim/cache/cache.h"

#include <gtest/gtest.h>

#include "sim/cache/store_port.h"

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

TEST(Cache, CountsItsLinesOfARange) {
    Cache cache(kTiny);
    EXPECT_EQ(cache.lines_of(0, 0xffff'ffff), 0u);  // invalid lines are of no range
    cache.install(0x100, LineState::shared, 1);
    cache.install(0x110, LineState::modified, 2);
    cache.install(0x200, LineState::shared, 3);
    EXPECT_EQ(cache.lines_of(0, 0xffff'ffff), 3u);
    EXPECT_EQ(cache.lines_of(0x100, 0x20), 2u);
    EXPECT_EQ(cache.lines_of(0x100, 0x10), 1u);
    EXPECT_EQ(cache.lines_of(0x10f, 2), 2u);  // a byte of each of two lines
    EXPECT_EQ(cache.lines_of(0x120, 0xe0), 0u);
    EXPECT_EQ(cache.lines_of(0x120, 0xe1), 1u);
    EXPECT_EQ(cache.lines_of(0x200, 0), 0u);
    EXPECT_EQ(cache.lines_of(0xffff'ff00, 0x211), 2u);  // the range wraps around
    Cache::invalidate(*cache.find(0x110));
    EXPECT_EQ(cache.lines_of(0x100, 0x20), 1u);
}

// What an engine does with the log is in tests/engine/undo_log_test.cpp.
TEST(Cache, LogsTheFirstUseOfEachLineSinceATime) {
    Cache cache(kTiny);
    cache.install(0x00, LineState::shared, 1);
    cache.install(0x20, LineState::shared, 5);
    EXPECT_TRUE(cache.uses_at_once(*cache.find(0x00), 9));
    EXPECT_EQ(cache.uses().size(), 0u) << "not begun";
    cache.uses().begin(10);
    EXPECT_FALSE(cache.uses_at_once(*cache.find(0x00), 11)) << "no room yet";
    EXPECT_EQ(cache.find(0x00)->used, 9);
    cache.use(*cache.find(0x00), 11);
    EXPECT_TRUE(cache.uses_at_once(*cache.find(0x00), 12));
    EXPECT_TRUE(cache.uses_at_once(*cache.find(0x20), 13));
    ASSERT_EQ(cache.uses().size(), 2u);
    EXPECT_EQ(cache.uses()[0].line, cache.find(0x00));
    EXPECT_EQ(cache.uses()[0].before, 9);
    EXPECT_EQ(cache.uses()[1].line, cache.find(0x20));
    EXPECT_EQ(cache.uses()[1].before, 5);
}

TEST(Cache, TheLogOfUsesGrows) {
    Cache cache({16384, 1, 16});
    for (Address a = 0; a < 16384; a += 16) cache.install(a, LineState::shared, 1);
    cache.uses().begin(10);
    for (Address a = 0; a < 16384; a += 16) cache.use(*cache.find(a), 11);
    ASSERT_EQ(cache.uses().size(), 1024u);
    EXPECT_EQ(cache.uses()[0].line, cache.find(0));
    EXPECT_EQ(cache.uses()[1023].line, cache.find(16368));
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
