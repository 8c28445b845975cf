// SPDX-License-Identifier: MIT
// The parts of nodes, each alone: placement of pages, network cache, resources, ring, steps.
#include <gtest/gtest.h>

#include <vector>

#include "sim/nodes/network_cache.h"
#include "tests/nodes/nodes_bench.h"

namespace symsim::test {
namespace {

// --- placement
// ------------------------------------------------------------------------------------

TEST(PagePlacement, APageIsInTheNodeThatFirstUsesIt) {
    NodeMachineConfig config = four_nodes();
    config.placement = Placement::first_touch;
    PagePlacement placement(config, kNodesMemory);
    EXPECT_EQ(placement.home(kNodePage), kNoNode);
    placement.touch(kNodePage + 5, 2);
    placement.touch(kNodePage, 1);
    EXPECT_EQ(placement.home(kNodePage), 2);
    EXPECT_EQ(placement.home(2 * kNodePage), kNoNode);
}

TEST(PagePlacement, PagesAreDealtOutInTurnOrInPieces) {
    NodeMachineConfig config = four_nodes();
    config.placement = Placement::interleaved;
    const PagePlacement in_turn(config, 8 * kNodePage);
    config.placement = Placement::by_address;
    const PagePlacement by_address(config, 8 * kNodePage);
    for (Address page = 0; page < 8; ++page) {
        EXPECT_EQ(in_turn.home(page * kNodePage + 100), page % 4);
        EXPECT_EQ(by_address.home(page * kNodePage + 100), page / 2);
    }
}

// --- network cache
// --------------------------------------------------------------------------------

// Two sets of two blocks. These three blocks are of one set.
constexpr Address kA = 0x000, kB = 0x040, kC = 0x080;

class NetworkCacheTest : public ::testing::Test {
  protected:
    static bool any(Address) { return true; }
    static bool none(Address) { return false; }

    NetworkCache cache{4 * 32, 2, 32};
};

TEST_F(NetworkCacheTest, TheLeastRecentlyUsedBlockLeaves) {
    cache.add(kA, 1);
    EXPECT_EQ(cache.victim(kC, any), std::nullopt);
    cache.add(kB, 2);
    EXPECT_EQ(cache.victim(kC, any), kA);
    EXPECT_EQ(cache.victim(kC + 32, any), std::nullopt) << "the other set";
    cache.use(kA, 3);
    EXPECT_EQ(cache.victim(kC, any), kB);
    EXPECT_EQ(cache.victim(kC, [](Address block) { return block != kB; }), kA);
    cache.remove(kB);
    EXPECT_FALSE(cache.has(kB));
    EXPECT_EQ(cache.victim(kC, any), std::nullopt);
}

TEST_F(NetworkCacheTest, ABlockIsKeptBesideASetThatIsInUse) {
    cache.add(kA, 1);
    cache.add(kB, 2);
    EXPECT_EQ(cache.victim(kC, none), std::nullopt);
    cache.add(kC, 3);
    EXPECT_TRUE(cache.has(kA) && cache.has(kB) && cache.has(kC));
    cache.remove(*cache.victim(0x0c0, any));
    EXPECT_EQ(cache.victim(0x0c0, any), kB) << "there are still as many as ways";
}

// --- resources
// ------------------------------------------------------------------------------------

TEST(NodeResources, EachIsUsedByOneAtATimeAndUsesAreReportedAtTheirStarts) {
    NodeParts parts;
    const auto use = [&](unsigned resource, Time now, Time cycles) {
        BusUse its;
        its.posted = now * kNodeCycle;
        return parts.resources.use(resource, now * kNodeCycle, cycles * kNodeCycle, its) /
               kNodeCycle;
    };
    EXPECT_EQ(use(0, 0, 5), 0);
    EXPECT_EQ(use(1, 0, 3), 0) << "others are free";
    EXPECT_EQ(use(0, 1, 2), 5);
    EXPECT_EQ(use(1, 2, 1), 3);
    EXPECT_EQ(use(0, 2, 1), 7);
    EXPECT_EQ(parts.observer.uses.size(), 2u);
    EXPECT_EQ(parts.resources.next_report(), 3 * kNodeCycle);
    EXPECT_EQ(parts.resources.free_from(0), 8 * kNodeCycle);
    parts.resources.report(6 * kNodeCycle);
    parts.resources.report(7 * kNodeCycle);
    EXPECT_EQ(parts.resources.next_report(), kNever);
    Time last = 0;
    std::vector<unsigned> order;
    for (const BusUse& reported : parts.observer.uses) {
        EXPECT_GE(reported.start, last);
        last = reported.start;
        order.push_back(reported.resource);
    }
    EXPECT_EQ(order, (std::vector<unsigned>{0, 1, 1, 0, 0}));
}

TEST(NodeResources, PathsBanksAndLinksAreApart) {
    NodeMachineConfig config = four_nodes();
    config.memory.controllers = 2;
    config.rings = 2;
    const NodeParts parts(config);
    EXPECT_EQ(Resources::count(config), 8u + 8 + 8);
    EXPECT_EQ(parts.resources.way(7), 7u);
    EXPECT_EQ(parts.resources.bank(0, 0), 8u);
    EXPECT_EQ(parts.resources.bank(3, 1), 15u);
    EXPECT_EQ(parts.resources.link(0, 0), 16u);
    EXPECT_EQ(parts.resources.link(3, 1), 23u);
    config.inside = NodeInside::bus;
    const NodeParts with_bus(config);
    EXPECT_EQ(Resources::count(config), 4u + 8 + 8);
    EXPECT_EQ(with_bus.resources.way(6), 3u);
    EXPECT_EQ(with_bus.resources.way(7), 3u);
}

// --- ring
// -----------------------------------------------------------------------------------------

struct Delivered {
    NodeId from;
    Time cycle;
    unsigned hops;
    bool operator==(const Delivered& o) const {
        return from == o.from && cycle == o.cycle && hops == o.hops;
    }
};

class RingTest : public ::testing::Test {
  protected:
    void send(NodeId from, NodeId to, Time cycle, MessageKind kind = MessageKind::read) {
        parts.ring.send(message(from, to, kind), cycle * kNodeCycle);
    }
    static Message message(NodeId from, NodeId to, MessageKind kind) {
        Message sent;
        sent.kind = kind;
        sent.from = from;
        sent.to = to;
        return sent;
    }
    std::vector<Delivered> run() {
        std::vector<Delivered> delivered;
        while (parts.steps.next() != kNever) {
            const NodeStep step = parts.steps.take();
            if (step.what == NodeStep::What::hop)
                parts.ring.hop(step.message, step.node, step.at);
            else
                delivered.push_back({step.message.from, step.at / kNodeCycle, step.message.hops});
        }
        return delivered;
    }

    NodeParts parts;
};

// The interface at either end takes 3 cycles, each link 2; the whole message is there after its
// length, 1 cycle, or 5 with a block.
TEST_F(RingTest, AMessageTakesEachLinkInTurn) {
    send(0, 2, 10);
    EXPECT_EQ(run(), (std::vector<Delivered>{{0, 10 + 3 + 2 * 2 + 1 + 3, 2}}));
    send(3, 1, 100, MessageKind::ack_with_block);
    EXPECT_EQ(run(), (std::vector<Delivered>{{3, 100 + 3 + 2 * 2 + 5 + 3, 2}}));
    send(1, 1, 200);
    EXPECT_EQ(run(), (std::vector<Delivered>{{1, 200, 0}}));
}

TEST_F(RingTest, MessagesWaitForALinkAndKeepTheirOrder) {
    send(0, 1, 10, MessageKind::write_back);
    send(0, 1, 11);
    const std::vector<Delivered> delivered = run();
    // The second one waits until the block of the first is past.
    EXPECT_EQ(delivered, (std::vector<Delivered>{{0, 13 + 2 + 5 + 3, 1}, {0, 18 + 2 + 1 + 3, 1}}));
}

TEST_F(RingTest, WhoFindsNoRoomGoesRoundOnceMore) {
    parts.ring.send_round(message(0, 2, MessageKind::read_exclusive), 10 * kNodeCycle);
    EXPECT_EQ(run(), (std::vector<Delivered>{{0, 10 + 3 + 4 * 2 + 1 + 3, 4}}));
}

// --- steps
// ----------------------------------------------------------------------------------------

TEST(StepQueueTest, StepsOfOneTimeAreInOrderOfAddingButReleasesComeFirst) {
    StepQueue steps;
    const auto add = [&](Time at, ProcessorId port) {
        Message its;
        its.port = port;
        steps.add(at, NodeStep::What::arrived, its);
    };
    const auto release = [&](Time at, ProcessorId port, Address block) {
        Message its;
        its.port = port;
        its.block = block;
        steps.add_release(at, its, 0);
    };
    EXPECT_EQ(steps.next(), kNever);
    add(20, 5);
    add(10, 6);
    add(20, 1);
    release(20, 9, 64);
    release(20, 3, 32);
    release(20, 3, 0);
    std::vector<std::pair<ProcessorId, Address>> order;
    EXPECT_EQ(steps.next(), 10);
    while (steps.next() != kNever) {
        const NodeStep step = steps.take();
        order.emplace_back(step.message.port, step.message.block);
    }
    EXPECT_EQ(order, (std::vector<std::pair<ProcessorId, Address>>{
                         {6, 0}, {3, 0}, {3, 32}, {9, 64}, {5, 0}, {1, 0}}));
}

}  // namespace
}  // namespace symsim::test
