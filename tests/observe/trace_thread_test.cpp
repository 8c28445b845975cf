// SPDX-License-Identifier: MIT
#include "sim/observe/trace_feed.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/observe/support.h"

namespace symsim {
namespace {

using testing::kUs;

// Takes some time for each chunk, and may fail at one.
struct SlowSink final : ChunkSink {
    void begin(const Window&) override {}
    void take(const TraceChunk& chunk) override {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ends.push_back(chunk.to);
        writer = std::this_thread::get_id();
    }
    bool failed() const override { return static_cast<int>(ends.size()) > fails_after; }

    int fails_after = 1000;
    std::vector<Time> ends;
    std::thread::id writer;
};

TraceChunk chunk(Time to) {
    TraceChunk made;
    made.to = to;
    made.uses.emplace_back();
    return made;
}

TEST(TraceThread, EverySinkGetsAllChunksInOrder) {
    SlowSink first, second;
    TraceThread thread;
    thread.add(first);
    thread.add(second);
    std::vector<Time> ends;
    for (Time to = 1; to <= 20; ++to) {
        thread.take(chunk(to * kUs));
        ends.push_back(to * kUs);
    }
    thread.wait();
    EXPECT_EQ(first.ends, ends);
    EXPECT_EQ(second.ends, ends);
    EXPECT_NE(first.writer, std::this_thread::get_id());
}

TEST(TraceThread, ReturnsTheMemoryOfChunksThatWereWritten) {
    SlowSink sink;
    TraceThread thread;
    thread.add(sink);
    EXPECT_EQ(thread.take(chunk(kUs)).uses.capacity(), 0u);
    thread.wait();
    EXPECT_GT(thread.take(chunk(2 * kUs)).uses.capacity(), 0u);
    EXPECT_EQ(thread.take(chunk(3 * kUs)).uses.capacity(), 0u);
}

TEST(TraceThread, WithoutASinkAChunkComesBack) {
    TraceThread thread;
    EXPECT_EQ(thread.take(chunk(kUs)).to, kUs);
    thread.wait();
}

TEST(TraceThread, ToldAfterItsChunkThatASinkHasFailed) {
    SlowSink sink;
    sink.fails_after = 1;
    TraceThread thread;
    thread.add(sink);
    thread.take(chunk(kUs));
    thread.wait();
    EXPECT_FALSE(thread.failed());
    thread.take(chunk(2 * kUs));
    thread.wait();
    EXPECT_TRUE(thread.failed());
}

TEST(TraceThread, NoChunkIsTakenAfterItsEnd) {
    SlowSink sink;
    {
        TraceThread thread;
        thread.add(sink);
        for (Time to = 1; to <= 4; ++to) thread.take(chunk(to * kUs));
    }
    const std::size_t taken = sink.ends.size();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(sink.ends.size(), taken);
}

}  // namespace
}  // namespace symsim
