// SPDX-License-Identifier: MIT
// A node's controller alone: node 1 of four, whose processors are 2 and 3. Its ports only record
// what it calls.
#include "sim/nodes/node.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "tests/nodes/nodes_bench.h"

namespace symsim::test {
namespace {

constexpr NodeId kNode = 1;
constexpr ProcessorId kFirst = 2, kSecond = 3;
constexpr Address kOwn = kNodePage, kRemote = 0x40,
                  kOther = 0x80;  // blocks; node 0 has the last two
using Kind = MessageKind;
using Sent = std::vector<Kind>;

struct Ports final : NodePorts {
    Snooped snoop(ProcessorId port, TransactionKind kind, Address, Time) override {
        snoops.emplace_back(port, kind);
        Snooped answer{};
        answer.supplies = modified;
        return answer;
    }
    bool needs_line(ProcessorId, Time) override { return true; }
    Address line(ProcessorId port) const override { return lines.at(port); }
    bool locked_by(const ProcessorSet& ports, Address first, std::uint32_t bytes) const override {
        for (const auto& [port, its_line] : locks)
            if (ports.contains(port) && its_line - first < bytes) return true;
        return false;
    }
    void reply(ProcessorId port, bool, unsigned, Supplier supplier, Time) override {
        served.push_back(port);
        suppliers.push_back(supplier);
    }

    std::map<ProcessorId, Address> lines;
    std::set<std::pair<ProcessorId, Address>> locks;
    std::vector<ProcessorId> served;
    std::vector<Supplier> suppliers;
    bool modified = false;  // what is snooped
    std::vector<std::pair<ProcessorId, TransactionKind>> snoops;
};

class NodeTest : public ::testing::Test {
  protected:
    explicit NodeTest(const NodeMachineConfig& config = four_nodes()) : parts(config) {}

    // A processor asks for a line. Returns what the node sends.
    Sent load(ProcessorId port, Address line) { return request(port, line, Kind::read); }
    Sent store(ProcessorId port, Address line) { return request(port, line, Kind::read_exclusive); }
    // The home's message arrives.
    Sent receive(Kind kind, Address block, ProcessorId port = kFirst, bool modified = false) {
        Message message;
        message.kind = kind;
        message.from = parts.placement.home(block);
        message.to = kNode;
        message.block = block;
        message.port = port;
        message.from_owner = modified;
        node.receive(message, 0);
        return sent();
    }
    // The processor has made its access.
    Sent finish(Address block, bool stored) {
        node.finish(block, stored, 0);
        return sent();
    }
    std::vector<ProcessorId> served() { return std::exchange(ports.served, {}); }
    NodeState state(Address block) const { return node.find(block)->state; }

    bool from_owner = false;  // of the last message that the node has sent
    NodeParts parts;
    Ports ports;
    Node node{kNode, parts.config, kNodesMemory, parts.placement, parts.banks, parts.ring, ports};

  private:
    Sent request(ProcessorId port, Address line, Kind kind) {
        Message message;
        message.kind = kind;
        message.cause =
            kind == Kind::read ? TransactionKind::read : TransactionKind::read_exclusive;
        message.port = port;
        message.block = line & ~(parts.config.block_bytes - 1);
        ports.lines[port] = line;
        node.request(message, 0);
        return sent();
    }
    Sent sent() {
        Sent all;
        while (parts.steps.next() != kNever) {
            const Message message = parts.steps.take().message;
            all.push_back(message.kind);
            from_owner = message.from_owner;
        }
        return all;
    }
};

TEST_F(NodeTest, ServesItsOwnBlocksAtOnce) {
    EXPECT_EQ(load(kFirst, kOwn), Sent{});
    EXPECT_EQ(served(), std::vector<ProcessorId>{kFirst});
    EXPECT_TRUE(node.owns(kFirst, kOwn));
    EXPECT_FALSE(node.owns(kSecond, kOwn));
    EXPECT_FALSE(node.owns(kFirst, kOwn + 16)) << "another line of the block";
    EXPECT_FALSE(node.network_cache().has(kOwn));
}

TEST_F(NodeTest, TellsWhoHadTheLine) {
    load(kFirst, kOwn);
    finish(kOwn, false);
    ports.modified = true;
    load(kSecond, kOwn);
    load(kFirst, kRemote);
    receive(Kind::shared_reply, kRemote);
    finish(kRemote, false);
    ports.modified = false;
    load(kSecond, kRemote);
    load(kFirst, kOther);
    receive(Kind::shared_reply, kOther, kFirst, /*from_owner=*/true);
    EXPECT_EQ(ports.suppliers,
              (std::vector<Supplier>{Supplier::own_memory, Supplier::own_node_cache,
                                     Supplier::home_memory, Supplier::network_cache,
                                     Supplier::other_node}));
}

// Its memory has what no processor has modified.
TEST_F(NodeTest, AnswersWhetherItHadModifiedTheBlock) {
    for (const bool modified : {false, true}) {
        store(kFirst, kOwn);
        finish(kOwn, true);
        ports.modified = modified;
        EXPECT_EQ(receive(Kind::exclusive_intervention, kOwn), Sent{Kind::ack});
        EXPECT_EQ(from_owner, modified);
        store(kFirst, kOwn);
        receive(Kind::exclusive_reply, kOwn);
        finish(kOwn, true);
    }
    store(kFirst, kRemote);
    receive(Kind::exclusive_reply, kRemote);
    finish(kRemote, true);
    ports.modified = false;
    EXPECT_EQ(receive(Kind::exclusive_intervention, kRemote), Sent{Kind::ack_with_block});
    EXPECT_TRUE(from_owner) << "its network cache may have";
}

TEST_F(NodeTest, AStoreWaitsUntilLoadsAreServed) {
    load(kFirst, kOwn);
    store(kSecond, kOwn);
    EXPECT_EQ(served(), std::vector<ProcessorId>{kFirst});
    finish(kOwn, false);
    EXPECT_EQ(served(), std::vector<ProcessorId>{kSecond});
    EXPECT_EQ(ports.snoops, (std::vector<std::pair<ProcessorId, TransactionKind>>{
                                {kFirst, TransactionKind::read_exclusive}}));
}

TEST_F(NodeTest, ALoadWaitsUntilAStoreToTheBlockIsServed) {
    store(kFirst, kOwn);
    served();
    load(kSecond, kOwn + 16);
    EXPECT_EQ(served(), std::vector<ProcessorId>{});
    finish(kOwn, true);
    EXPECT_EQ(served(), std::vector<ProcessorId>{kSecond});
}

TEST_F(NodeTest, AllLinesOfABlockAreDropped) {
    load(kFirst, kRemote);
    receive(Kind::shared_reply, kRemote);
    load(kSecond, kRemote + 16);
    finish(kRemote, false);
    finish(kRemote, false);
    EXPECT_EQ(receive(Kind::invalidate, kRemote), Sent{Kind::ack});
    EXPECT_EQ(ports.snoops, (std::vector<std::pair<ProcessorId, TransactionKind>>{
                                {kFirst, TransactionKind::read_exclusive},
                                {kSecond, TransactionKind::read_exclusive}}));
}

TEST_F(NodeTest, ABlockThatIsServedOrLockedStaysInTheNetworkCache) {
    store(kFirst, kRemote);
    receive(Kind::exclusive_reply, kRemote);
    EXPECT_EQ(load(kSecond, kOther), Sent{Kind::read}) << "it is kept beside the other";
    EXPECT_TRUE(node.network_cache().has(kRemote) && node.network_cache().has(kOther));
    receive(Kind::shared_reply, kOther, kSecond);
    finish(kOther, false);
    finish(kRemote, true);
    ports.locks = {{kFirst, kRemote}};
    EXPECT_EQ(load(kSecond, kOther + 32), Sent{Kind::read}) << "the shared one leaves";
    EXPECT_TRUE(node.network_cache().has(kRemote));
    EXPECT_FALSE(node.network_cache().has(kOther));
}

TEST_F(NodeTest, AsksForARemoteBlockAndKeepsIt) {
    EXPECT_EQ(load(kFirst, kRemote), Sent{Kind::read});
    EXPECT_EQ(load(kSecond, kRemote), Sent{}) << "asked already";
    receive(Kind::shared_reply, kRemote);
    EXPECT_EQ(served(), (std::vector<ProcessorId>{kFirst, kSecond}));
    EXPECT_TRUE(node.network_cache().has(kRemote));
    EXPECT_EQ(state(kRemote), NodeState::shared);
}

TEST_F(NodeTest, AnUpgradeThatIsOvertakenAsksAsIfItHadNoCopy) {
    load(kFirst, kRemote);
    receive(Kind::shared_reply, kRemote);
    finish(kRemote, false);
    EXPECT_EQ(store(kFirst, kRemote), Sent{Kind::upgrade});
    EXPECT_EQ(receive(Kind::invalidate, kRemote), Sent{Kind::ack});
    EXPECT_EQ(state(kRemote), NodeState::asked_owned);
    EXPECT_EQ(ports.snoops.back(), std::pair(kFirst, TransactionKind::read_exclusive));
    served();
    receive(Kind::exclusive_reply, kRemote);
    EXPECT_EQ(served(), std::vector<ProcessorId>{kFirst});
    EXPECT_EQ(state(kRemote), NodeState::owned);
}

TEST_F(NodeTest, ABlockThatIsGivenBackCrossesTheQuestions) {
    for (const Kind question : {Kind::shared_intervention, Kind::exclusive_intervention}) {
        EXPECT_EQ(store(kFirst, kRemote), Sent{Kind::read_exclusive});
        receive(Kind::exclusive_reply, kRemote);
        finish(kRemote, true);
        // The network cache has room for one block.
        EXPECT_EQ(load(kSecond, kOther), (Sent{Kind::read, Kind::write_back}));
        EXPECT_EQ(state(kRemote), NodeState::leaving);
        served();
        EXPECT_EQ(load(kFirst, kRemote), Sent{}) << "it waits";
        EXPECT_EQ(receive(question, kRemote), Sent{Kind::ack}) << "without the block";
        EXPECT_EQ(receive(Kind::write_back_ack, kRemote), Sent{Kind::read}) << "the load continues";
        receive(Kind::shared_reply, kOther, kSecond);
        finish(kOther, false);
        receive(Kind::shared_reply, kRemote);
        finish(kRemote, false);
        receive(Kind::invalidate, kRemote);
        EXPECT_EQ(state(kRemote), NodeState::absent);
        receive(Kind::invalidate, kOther);
    }
}

TEST_F(NodeTest, AnswersForACopyThatItHasNoMore) {
    load(kFirst, kRemote);
    receive(Kind::shared_reply, kRemote);
    finish(kRemote, false);
    EXPECT_EQ(load(kFirst, kOther), Sent{Kind::read}) << "a shared block leaves silently";
    EXPECT_FALSE(node.network_cache().has(kRemote));
    EXPECT_EQ(receive(Kind::invalidate, kRemote), Sent{Kind::ack});
}

TEST_F(NodeTest, QuestionsOfTheHomeWaitWhileTheBlockIsServedOrLocked) {
    load(kFirst, kOwn);
    EXPECT_EQ(receive(Kind::exclusive_intervention, kOwn), Sent{});
    EXPECT_EQ(finish(kOwn, false), Sent{Kind::ack});
    ports.locks = {{kFirst, kRemote + 16}};
    store(kFirst, kRemote);
    receive(Kind::exclusive_reply, kRemote);
    EXPECT_EQ(state(kRemote), NodeState::asked_owned) << "a lock that there is not in fact";
    ports.locks.clear();
    node.resume(kRemote, 0);
    EXPECT_EQ(state(kRemote), NodeState::owned);
}

// Found by the random test: the first processor has locked a line that its cache then lost; the
// second has locked the other line of the block, and wants the first one.
TEST_F(NodeTest, TheHolderOfALockReadsItsLineAgain) {
    ports.locks = {{kFirst, kOwn}, {kSecond, kOwn + 16}};
    store(kSecond, kOwn);
    EXPECT_EQ(served(), std::vector<ProcessorId>{}) << "it is locked";
    store(kFirst, kOwn);
    EXPECT_EQ(served(), std::vector<ProcessorId>{kFirst});
    finish(kOwn, true);
    EXPECT_EQ(served(), std::vector<ProcessorId>{});
    ports.locks.erase({kFirst, kOwn});
    node.resume(kOwn, 0);
    EXPECT_EQ(served(), std::vector<ProcessorId>{kSecond});
}

// The same while the line is served to others: the holder waits, and comes before those that wait
// for it.
TEST_F(NodeTest, TheHolderOfALockPassesThoseThatWaitForIt) {
    load(kSecond, kOwn);
    ports.locks = {{kFirst, kOwn + 16}};
    store(kSecond, kOwn + 16);  // waits for the lock
    store(kFirst, kOwn + 16);   // waits for the load
    served();
    finish(kOwn, false);
    EXPECT_EQ(served(), std::vector<ProcessorId>{kFirst});
}

class FollowingHomeTest : public NodeTest {
  protected:
    static NodeMachineConfig config() {
        NodeMachineConfig follows = four_nodes();
        follows.placement = Placement::follows_owner;
        return follows;
    }
    FollowingHomeTest() : NodeTest(config()) {}
};

// Found by the random test: the block's home moves away while the node waits for the block.
TEST_F(FollowingHomeTest, ABlockThatWasAtHomeWhenAskedForGetsAPlace) {
    parts.placement.touch(kOwn, kNode);
    load(kFirst, kOwn);
    finish(kOwn, false);
    receive(Kind::exclusive_intervention, kOwn);
    EXPECT_EQ(load(kFirst, kOwn), Sent{Kind::read});
    EXPECT_FALSE(node.network_cache().has(kOwn));
    parts.placement.owned(kOwn, 2);
    receive(Kind::shared_reply, kOwn);
    EXPECT_TRUE(node.network_cache().has(kOwn));
}

}  // namespace
}  // namespace symsim::test
