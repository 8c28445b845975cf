// SPDX-License-Identifier: MIT
// Tests WaitReport: which parts of a wait observers learn, and when.
#include "sim/engine/speculation/run_ahead.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/support/recording_observer.h"

namespace symsim::test {
namespace {

using States = std::vector<std::pair<ProcessorState, Time>>;
constexpr ProcessorState kWaiting = ProcessorState::waiting, kServed = ProcessorState::served,
                         kExecuting = ProcessorState::executing;

struct Reported {
    States states() const {
        States all;
        for (const auto& [processor, at, state] : observer.states) all.emplace_back(state, at);
        return all;
    }
    RecordingObserver observer;
    WaitReport wait{0, observer};
};

TEST(WaitReport, AWholeWaitIsReportedAtItsEnd) {
    Reported r;
    r.wait.begin(10);
    r.wait.served(30);
    EXPECT_EQ(r.states(), States{});
    r.wait.end(50);
    EXPECT_EQ(r.states(), (States{{kWaiting, 10}, {kServed, 30}, {kExecuting, 50}}));
}

TEST(WaitReport, AWaitReportedWhileOpenGoesOnPartByPart) {
    Reported r;
    r.wait.begin(10);
    r.wait.report_open();
    r.wait.report_open();
    EXPECT_EQ(r.states(), (States{{kWaiting, 10}}));
    r.wait.served(30);
    r.wait.end(50);
    EXPECT_EQ(r.states(), (States{{kWaiting, 10}, {kServed, 30}, {kExecuting, 50}}));
    r.wait.begin(60);
    r.wait.served(60);
    r.wait.end(70);
    EXPECT_EQ(r.states().size(), 5u) << "the next one is a whole one again";
}

TEST(WaitReport, AWaitThatIsOverSpeculativelyIsReportedAtItsCommit) {
    Reported r;
    r.wait.is_over({10, 30, 50});
    EXPECT_TRUE(r.wait.over());
    EXPECT_EQ(r.states(), States{});
    r.wait.commit();
    r.wait.commit();
    EXPECT_EQ(r.states(), (States{{kWaiting, 10}, {kServed, 30}, {kExecuting, 50}}));
    EXPECT_FALSE(r.wait.over());
}

TEST(WaitReport, ARollbackDiscardsAWaitOrReopensIt) {
    Reported r;
    r.wait.is_over({10, 30, 50});
    r.wait.discard();
    r.wait.commit();
    EXPECT_EQ(r.states(), States{});
    r.wait.is_over({10, 30, 50});
    EXPECT_EQ(r.wait.reopen(), 50);
    r.wait.commit();
    EXPECT_EQ(r.states(), States{}) << "it is not over";
    r.wait.end(50);
    EXPECT_EQ(r.states(), (States{{kWaiting, 10}, {kServed, 30}, {kExecuting, 50}}));
}

}  // namespace
}  // namespace symsim::test
