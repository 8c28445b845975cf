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
        get(Kind::read_exclusive, 1);
        EXPECT_EQ(look_up(), (Sent{{Kind::exclusive_intervention, 0}}));
        EXPECT_EQ(get(Kind::ack, 0), (Sent{{Kind::exclusive_reply, 1}}));
    }
    // Nodes 0, 1 and 2 have copies.
    void share() {
        get(Kind::read, 1);
        EXPECT_EQ(look_up(), (Sent{{Kind::shared_intervention, 0}}));
        EXPECT_EQ(get(Kind::ack, 0), (Sent{{Kind::shared_reply, 1}}));
        get(Kind::read, 2);
        EXPECT_EQ(look_up(), (Sent{{Kind::shared_reply, 2}}));
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
    EXPECT_EQ(get(Kind::read, 3), Sent{});
    EXPECT_EQ(entry().state, HomeState::looking_owned);
    EXPECT_EQ(entry().owner, 0);
    EXPECT_EQ(look_up(), (Sent{{Kind::shared_intervention, 0}}));
    EXPECT_EQ(get(Kind::ack_with_block, 0), (Sent{{Kind::shared_reply, 3}}));
    EXPECT_EQ(entry().state, HomeState::shared);
    EXPECT_EQ(entry().owner, kNoNode);
    EXPECT_EQ(entry().sharers, 0b1001u);
}

TEST_F(DirectoryTest, AnOwnerComesAfterAllOthersHaveDropped) {
    share();
    get(Kind::read_exclusive, 3);
    EXPECT_EQ(look_up(),
              (Sent{{Kind::invalidate, 0}, {Kind::invalidate, 1}, {Kind::invalidate, 2}}));
    EXPECT_EQ(get(Kind::ack, 2), Sent{});
    EXPECT_EQ(get(Kind::ack, 0), Sent{});
    EXPECT_EQ(entry().state, HomeState::invalidating);
    EXPECT_EQ(get(Kind::ack, 1), (Sent{{Kind::exclusive_reply, 3}}));
    EXPECT_EQ(entry().owner, 3);
    EXPECT_EQ(entry().sharers, 0u);
}

TEST_F(DirectoryTest, AnUpgradeNeedsNoBlock) {
    share();
    get(Kind::upgrade, 1);
    EXPECT_EQ(look_up(), (Sent{{Kind::invalidate, 0}, {Kind::invalidate, 2}}));
    get(Kind::ack, 0);
    EXPECT_EQ(get(Kind::ack, 2), (Sent{{Kind::exclusive_ack, 1}}));
}

TEST_F(DirectoryTest, AnUpgradeThatIsOvertakenGetsTheBlock) {
    share();
    get(Kind::read_exclusive, 3);
    EXPECT_EQ(get(Kind::upgrade, 1), Sent{}) << "it waits";
    look_up();
    get(Kind::ack, 0);
    get(Kind::ack, 1);
    EXPECT_EQ(get(Kind::ack, 2), (Sent{{Kind::exclusive_reply, 3}}));
    EXPECT_EQ(entry().state, HomeState::looking_owned) << "the upgrade is served";
    EXPECT_EQ(look_up(), (Sent{{Kind::exclusive_intervention, 3}}));
    EXPECT_EQ(get(Kind::ack_with_block, 3), (Sent{{Kind::exclusive_reply, 1}}));
}

TEST_F(DirectoryTest, WhatIsGivenBackMayCrossTheQuestion) {
    for (const auto& [asked, question, sends] :
         {std::tuple{Kind::read, Kind::shared_intervention, Kind::shared_reply},
          std::tuple{Kind::read_exclusive, Kind::exclusive_intervention, Kind::exclusive_reply}}) {
        give_to_1();
        get(asked, 2);
        EXPECT_EQ(look_up(), (Sent{{question, 1}}));
        EXPECT_EQ(get(Kind::write_back, 1), (Sent{{Kind::write_back_ack, 1}}));
        EXPECT_EQ(entry().owner, kNoNode);
        EXPECT_EQ(get(Kind::ack, 1), (Sent{{sends, 2}}));
        EXPECT_EQ(entry().sharers, asked == Kind::read ? 0b100u : 0u);
        if (asked == Kind::read_exclusive) continue;
        // Back to the start: the home owns it.
        get(Kind::read_exclusive, 0);
        EXPECT_EQ(look_up(), (Sent{{Kind::invalidate, 2}}));
        EXPECT_EQ(get(Kind::ack, 2), (Sent{{Kind::exclusive_reply, 0}}));
    }
}

TEST_F(DirectoryTest, WhatIsGivenBackBeforeTheQuestionMakesItNeedless) {
    give_to_1();
    get(Kind::read_exclusive, 2);
    EXPECT_EQ(get(Kind::write_back, 1), (Sent{{Kind::write_back_ack, 1}}));
    EXPECT_EQ(entry().state, HomeState::looking_shared);
    EXPECT_EQ(look_up(), (Sent{{Kind::exclusive_reply, 2}})) << "it is alone";
    EXPECT_EQ(entry().owner, 2);
}

TEST_F(DirectoryTest, RequestsWaitInOrderOfArrival) {
    give_to_1();
    get(Kind::read, 2);
    get(Kind::read, 3);
    get(Kind::read_exclusive, 1);
    EXPECT_EQ(directory.waiting().size(), 2u);
    look_up();
    EXPECT_EQ(get(Kind::ack_with_block, 1), (Sent{{Kind::shared_reply, 2}}));
    EXPECT_EQ(entry().request.from, 3);
    EXPECT_EQ(look_up(), (Sent{{Kind::shared_reply, 3}}));
    EXPECT_EQ(entry().request.from, 1);
    EXPECT_TRUE(directory.waiting().empty());
}

using DirectoryDeathTest = DirectoryTest;
TEST_F(DirectoryDeathTest, AnAnswerThatIsNotAwaitedIsImpossible) {
    EXPECT_DEATH(get(Kind::ack, 1), "that it does not await");
    give_to_1();
    EXPECT_DEATH(get(Kind::write_back, 2), "which node 1 owns");
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
    get(Kind::read, 1);
    get(Kind::read, 2);
    EXPECT_EQ(rounds, 0u);
    get(Kind::read, 3);
    EXPECT_EQ(rounds, 1u);
    get(Kind::read_exclusive, 0);
    EXPECT_EQ(rounds, 1u);
    EXPECT_EQ(directory.waiting().size(), 2u);
}

}  // namespace
}  // namespace symsim::test
