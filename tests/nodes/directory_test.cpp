// SPDX-License-Identifier: MIT
// The directory alone, with messages made by hand, and the races that home_protocol.h and
// node_protocol.h name.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "sim/nodes/home.h"
#include "tests/nodes/nodes_bench.h"

namespace symsim::test {
namespace {

constexpr Address kBlock = 0x40;  // in node 0
using Kind = MessageKind;
using Sent = std::vector<std::pair<Kind, NodeId>>;

class DirectoryTest : public ::testing::Test {
  protected:
    explicit DirectoryTest(const NodeMachineConfig& config = four_nodes())
        : parts(config),
          directory(parts.config, kNodesMemory, parts.placement, parts.banks, parts.ring,
                    parts.steps) {}

    // A message of a node arrives at the home. Returns what the home sends at once.
    Sent get(Kind kind, NodeId from) {
        Message message;
        message.kind = kind;
        message.from = from;
        message.to = 0;
        message.block = kBlock;
        message.port = from * 2;
        directory.receive(message, now);
        return sent();
    }
    // The home has read directory and memory. Returns what it sends then.
    Sent look_up() {
        directory.looked_up(kBlock, now);
        return sent();
    }
    const DirectoryEntry& entry() const { return *directory.find(kBlock); }
    // Node 1 owns the block, others have none.
    void give_to_1() {
        get(Kind::get_owned, 1);
        EXPECT_EQ(look_up(), (Sent{{Kind::give, 0}}));
        EXPECT_EQ(get(Kind::answer, 0), (Sent{{Kind::ownership_with_block, 1}}));
    }
    // Nodes 0, 1 and 2 have copies.
    void share() {
        get(Kind::get_shared, 1);
        EXPECT_EQ(look_up(), (Sent{{Kind::share, 0}}));
        EXPECT_EQ(get(Kind::answer, 0), (Sent{{Kind::copy, 1}}));
        get(Kind::get_shared, 2);
        EXPECT_EQ(look_up(), (Sent{{Kind::copy, 2}}));
        EXPECT_EQ(entry().sharers, 0b111u);
    }

    NodeParts parts;
    Directory directory;
    Time now = 0;
    unsigned rounds = 0;  // messages that were sent round once more

  private:
    Sent sent() {
        Sent all;
        while (parts.steps.next() != kNever) {
            const NodeStep step = parts.steps.take();
            now = std::max(now, step.at);
            if (step.what == NodeStep::What::looked_up) continue;
            if (is_to_home(step.message.kind)) {
                ++rounds;
                EXPECT_EQ(step.node, 0);
                continue;
            }
            EXPECT_EQ(step.message.from, 0);
            all.emplace_back(step.message.kind, step.message.to);
        }
        return all;
    }
};

TEST_F(DirectoryTest, TheHomeOwnsItsBlocksAtFirst) {
    EXPECT_EQ(directory.find(kBlock), nullptr);
    EXPECT_EQ(get(Kind::get_shared, 3), Sent{});
    EXPECT_EQ(entry().state, HomeState::looking_owned);
    EXPECT_EQ(entry().owner, 0);
    EXPECT_EQ(look_up(), (Sent{{Kind::share, 0}}));
    EXPECT_EQ(get(Kind::answer_with_block, 0), (Sent{{Kind::copy, 3}}));
    EXPECT_EQ(entry().state, HomeState::shared);
    EXPECT_EQ(entry().owner, kNoNode);
    EXPECT_EQ(entry().sharers, 0b1001u);
}

TEST_F(DirectoryTest, AnOwnerComesAfterAllOthersHaveDropped) {
    share();
    get(Kind::get_owned, 3);
    EXPECT_EQ(look_up(), (Sent{{Kind::drop, 0}, {Kind::drop, 1}, {Kind::drop, 2}}));
    EXPECT_EQ(get(Kind::answer, 2), Sent{});
    EXPECT_EQ(get(Kind::answer, 0), Sent{});
    EXPECT_EQ(entry().state, HomeState::dropping);
    EXPECT_EQ(get(Kind::answer, 1), (Sent{{Kind::ownership_with_block, 3}}));
    EXPECT_EQ(entry().owner, 3);
    EXPECT_EQ(entry().sharers, 0u);
}

TEST_F(DirectoryTest, AnUpgradeNeedsNoBlock) {
    share();
    get(Kind::upgrade, 1);
    EXPECT_EQ(look_up(), (Sent{{Kind::drop, 0}, {Kind::drop, 2}}));
    get(Kind::answer, 0);
    EXPECT_EQ(get(Kind::answer, 2), (Sent{{Kind::ownership, 1}}));
}

TEST_F(DirectoryTest, AnUpgradeThatIsOvertakenGetsTheBlock) {
    share();
    get(Kind::get_owned, 3);
    EXPECT_EQ(get(Kind::upgrade, 1), Sent{}) << "it waits";
    look_up();
    get(Kind::answer, 0);
    get(Kind::answer, 1);
    EXPECT_EQ(get(Kind::answer, 2), (Sent{{Kind::ownership_with_block, 3}}));
    EXPECT_EQ(entry().state, HomeState::looking_owned) << "the upgrade is served";
    EXPECT_EQ(look_up(), (Sent{{Kind::give, 3}}));
    EXPECT_EQ(get(Kind::answer_with_block, 3), (Sent{{Kind::ownership_with_block, 1}}));
}

TEST_F(DirectoryTest, WhatIsGivenBackMayCrossTheQuestion) {
    for (const auto& [asked, question, sends] :
         {std::tuple{Kind::get_shared, Kind::share, Kind::copy},
          std::tuple{Kind::get_owned, Kind::give, Kind::ownership_with_block}}) {
        give_to_1();
        get(asked, 2);
        EXPECT_EQ(look_up(), (Sent{{question, 1}}));
        EXPECT_EQ(get(Kind::put, 1), (Sent{{Kind::put_done, 1}}));
        EXPECT_EQ(entry().owner, kNoNode);
        EXPECT_EQ(get(Kind::answer, 1), (Sent{{sends, 2}}));
        EXPECT_EQ(entry().sharers, asked == Kind::get_shared ? 0b100u : 0u);
        if (asked == Kind::get_owned) continue;
        // Back to the start: the home owns it.
        get(Kind::get_owned, 0);
        EXPECT_EQ(look_up(), (Sent{{Kind::drop, 2}}));
        EXPECT_EQ(get(Kind::answer, 2), (Sent{{Kind::ownership_with_block, 0}}));
    }
}

TEST_F(DirectoryTest, WhatIsGivenBackBeforeTheQuestionMakesItNeedless) {
    give_to_1();
    get(Kind::get_owned, 2);
    EXPECT_EQ(get(Kind::put, 1), (Sent{{Kind::put_done, 1}}));
    EXPECT_EQ(entry().state, HomeState::looking_shared);
    EXPECT_EQ(look_up(), (Sent{{Kind::ownership_with_block, 2}})) << "it is alone";
    EXPECT_EQ(entry().owner, 2);
}

TEST_F(DirectoryTest, RequestsWaitInOrderOfArrival) {
    give_to_1();
    get(Kind::get_shared, 2);
    get(Kind::get_shared, 3);
    get(Kind::get_owned, 1);
    EXPECT_EQ(directory.waiting().size(), 2u);
    look_up();
    EXPECT_EQ(get(Kind::answer_with_block, 1), (Sent{{Kind::copy, 2}}));
    EXPECT_EQ(entry().request.from, 3);
    EXPECT_EQ(look_up(), (Sent{{Kind::copy, 3}}));
    EXPECT_EQ(entry().request.from, 1);
    EXPECT_TRUE(directory.waiting().empty());
}

using DirectoryDeathTest = DirectoryTest;
TEST_F(DirectoryDeathTest, AnAnswerThatIsNotAwaitedIsImpossible) {
    EXPECT_DEATH(get(Kind::answer, 1), "that it does not await");
    give_to_1();
    EXPECT_DEATH(get(Kind::put, 2), "which node 1 owns");
}

class FullDirectoryTest : public DirectoryTest {
  protected:
    static NodeMachineConfig config() {
        NodeMachineConfig small = four_nodes();
        small.home_buffer = 1;
        return small;
    }
    FullDirectoryTest() : DirectoryTest(config()) {}
};

TEST_F(FullDirectoryTest, WhoFindsNoRoomGoesRoundButNotTheHomesOwnProcessors) {
    give_to_1();
    get(Kind::get_shared, 1);
    get(Kind::get_shared, 2);
    EXPECT_EQ(rounds, 0u);
    get(Kind::get_shared, 3);
    EXPECT_EQ(rounds, 1u);
    get(Kind::get_owned, 0);
    EXPECT_EQ(rounds, 1u);
    EXPECT_EQ(directory.waiting().size(), 2u);
}

}  // namespace
}  // namespace symsim::test
