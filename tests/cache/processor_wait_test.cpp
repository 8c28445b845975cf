// SPDX-License-Identifier: MIT
// Who is notified of the wait of a processor: observers, or the engine's hook instead, and the
// waiter.
#include "sim/cache/cache_port.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "tests/support/recording_observer.h"

namespace symsim::test {
namespace {

struct Hook final : SnoopHook {
    void about_to_change(Address, const Line*, Time) override {}
    void roll_back(Time) override {}
    bool executes_code(Address) const override { return false; }
    void waits_at(Time at) override { committed = at; }
    void served(Time at) override { served_at = at; }
    void port_granted(Time, Time) override {}

    Time committed = -1;
    Time served_at = -1;
};

class ProcessorWaitTest : public ::testing::Test, private Waiter {
  protected:
    RecordingObserver observer;
    Hook hook;
    ProcessorId woken = kNobody;
    Time woken_at = -1;
    ProcessorWait wait{3, Clock(100), observer, *this};

  private:
    void wake(ProcessorId processor, Time at) override {
        woken = processor;
        woken_at = at;
    }
};

TEST_F(ProcessorWaitTest, ObserversAreToldWhenNoHookIs) {
    wait.begin(Awaiting::fill);
    wait.report_waiting(10);
    wait.commit_beginning(15);
    wait.report_served(20);
    const std::vector<std::tuple<ProcessorId, Time, ProcessorState>> expected = {
        {3, 10, ProcessorState::waiting}, {3, 20, ProcessorState::served}};
    EXPECT_EQ(observer.states, expected);
}

TEST_F(ProcessorWaitTest, AHookReportsWaitsItself) {
    wait.set_hook(&hook);
    wait.begin(Awaiting::fill);
    wait.report_waiting(10);
    wait.commit_beginning(15);
    wait.report_served(20);
    EXPECT_TRUE(observer.states.empty());
    EXPECT_EQ(hook.committed, 15);
    EXPECT_EQ(hook.served_at, 20);
}

TEST_F(ProcessorWaitTest, TheProcessorWakesAtAnEdgeOfItsClock) {
    wait.begin(Awaiting::completion);
    EXPECT_EQ(wait.what(), Awaiting::completion);
    EXPECT_EQ(wait.wake(201), 300);
    EXPECT_EQ(woken, 3u);
    EXPECT_EQ(woken_at, 300);
    EXPECT_EQ(wait.what(), Awaiting::nothing);
    EXPECT_EQ(wait.wake(300), 300);
}

TEST_F(ProcessorWaitTest, AWaitCanEndWithoutAWake) {
    wait.begin(Awaiting::slot);
    wait.end();
    EXPECT_EQ(wait.what(), Awaiting::nothing);
    EXPECT_EQ(woken_at, -1);
}

}  // namespace
}  // namespace symsim::test
