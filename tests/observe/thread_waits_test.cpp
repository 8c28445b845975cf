// SPDX-License-Identifier: MIT
#include "sim/observe/thread_waits.h"

#include <gtest/gtest.h>

namespace symsim {
namespace {

constexpr Address kA = 0x1000, kB = 0x1100;              // threads
constexpr Address kHandleA = 0x2000, kHandleB = 0x2100;  // and their handles
constexpr Address kMutex = 0x3000, kOther = 0x3100;

class ThreadWaitsTest : public ::testing::Test {
  protected:
    void pass(ProcessorId processor, Time at, ProbeKind kind, std::uint32_t value) {
        Mark mark;
        mark.time = at;
        mark.what = Mark::What::probe;
        mark.probe = kind;
        mark.value = value;
        waits.passed(processor, mark);
    }
    void start(ProcessorId processor, Time at, Address thread, Address handle) {
        pass(processor, at, ProbeKind::thread_start, thread);
        pass(processor, at, ProbeKind::thread_handle, handle);
    }
    ThreadWaits waits{2};
};

TEST_F(ThreadWaitsTest, AThreadWaitsForTheMutexOfAnother) {
    start(0, 10, kA, kHandleA);
    pass(0, 20, ProbeKind::mutex_attempt, kMutex);
    pass(0, 21, ProbeKind::mutex_acquired, kMutex);
    EXPECT_TRUE(waits.waits().empty());
    start(1, 15, kB, kHandleB);
    pass(1, 30, ProbeKind::mutex_attempt, kMutex);
    const auto all = waits.waits();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].handle, kHandleB);
    EXPECT_EQ(all[0].what, ThreadWaits::What::mutex);
    EXPECT_EQ(all[0].object, kMutex);
    EXPECT_EQ(all[0].holder, kHandleA);
}

// Events of different processors come in any order.
TEST_F(ThreadWaitsTest, TheLatestEventOfAMutexAndOfAThreadCounts) {
    start(0, 10, kA, kHandleA);
    start(1, 11, kB, kHandleB);
    pass(1, 40, ProbeKind::mutex_acquired, kMutex);
    pass(0, 20, ProbeKind::mutex_acquired, kMutex);
    pass(0, 30, ProbeKind::mutex_release, kMutex);
    // A continues on processor 1, and waits there before processor 0 reports what A did earlier.
    pass(1, 60, ProbeKind::thread_resume, kA);
    pass(1, 61, ProbeKind::mutex_attempt, kMutex);
    pass(0, 50, ProbeKind::mutex_acquired, kOther);
    const auto all = waits.waits();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].handle, kHandleA);
    EXPECT_EQ(all[0].holder, kHandleB);
}

TEST_F(ThreadWaitsTest, EachKindOfWaitEnds) {
    start(0, 10, kA, kHandleA);
    Time at = 20;
    for (const ProbeKind kind :
         {ProbeKind::thread_join, ProbeKind::condition_wait, ProbeKind::barrier_wait}) {
        pass(0, at++, kind, kOther);
        ASSERT_EQ(waits.waits().size(), 1u);
        EXPECT_EQ(waits.waits()[0].object, kOther);
        pass(0, at++, ProbeKind::wait_end, kOther);
        EXPECT_TRUE(waits.waits().empty());
    }
}

TEST_F(ThreadWaitsTest, ThreadsWithoutAHandleAreNotReported) {
    pass(0, 10, ProbeKind::thread_start, kA);
    pass(0, 20, ProbeKind::mutex_attempt, kMutex);
    EXPECT_TRUE(waits.waits().empty());
}

}  // namespace
}  // namespace symsim
