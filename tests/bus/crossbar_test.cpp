// SPDX-License-Identifier: MIT
// The crossbar alone: all paths at once, and what still waits: a path's own uses, locks, and lines
// in transit.
#include "sim/bus/crossbar.h"

#include "tests/bus/bus_bench.h"

namespace symsim::test {
namespace {

constexpr Address kLine = 0x100, kOther = 0x200;

class CrossbarTest : public InterconnectTest<Crossbar, InterconnectConfig> {
  protected:
    void build(unsigned ports, const InterconnectConfig& config = test_bus_config()) {
        InterconnectTest::build(ports, config);
    }
    // With lines in transit and owners.
    void build_with_owners(unsigned ports) {
        InterconnectConfig config = test_bus_config();
        config.lines_have_owners = true;
        build(ports, config);
    }
};

TEST_F(CrossbarTest, AllPathsAreUsedAtOneEdge) {
    build(3);
    for (const ProcessorId port : {0u, 1u, 2u})
        post(port, TransactionKind::read, kLine + 0x100 * port, 0);
    run();
    // Arbitration, a cycle of request, 4 of memory, two of reply and one to synchronise.
    for (const auto& port : ports) {
        EXPECT_EQ(port->grants, (Grants{{TransactionKind::read, 2}}));
        EXPECT_EQ(port->arrivals, std::vector<Time>{10});
    }
    ASSERT_EQ(observer.uses.size(), 6u);
    for (std::size_t n = 0; n < 6; ++n) {
        EXPECT_EQ(observer.uses[n].resource, observer.uses[n].processor);
        EXPECT_EQ(observer.uses[n].reply, n >= 3);
        EXPECT_FALSE(observer.uses[n].locked);
    }
    EXPECT_EQ(bus->next_event(), kNever);
    EXPECT_EQ(bus->last_grant(), 2 * kCycle);
}

TEST_F(CrossbarTest, APathIsUsedOnceAtATimeAndRepliesGoFirst) {
    build(1);
    post(0, TransactionKind::read, kLine, 0);
    post(0, TransactionKind::store, kLine, 0);
    post(0, TransactionKind::store, kLine, 6);
    run();
    ASSERT_EQ(observer.uses.size(), 4u);
    const std::vector<Time> starts = {2, 3, 7, 9};
    for (std::size_t n = 0; n < 4; ++n) {
        EXPECT_EQ(observer.uses[n].start / kCycle, starts[n]);
        EXPECT_EQ(observer.uses[n].reply, n == 2);
    }
}

TEST_F(CrossbarTest, ALockKeepsOthersFromItsLineOnly) {
    build(3);
    post(1, TransactionKind::locked_read, kLine, 0);
    post(0, TransactionKind::read, kLine, 0);
    post(2, TransactionKind::read, kOther, 0);
    run(20);
    EXPECT_EQ(ports[0]->grants, (Grants{{TransactionKind::read, 2}}));  // before the lock
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::locked_read, 2}}));
    EXPECT_EQ(ports[2]->grants, (Grants{{TransactionKind::read, 2}}));
    post(0, TransactionKind::read, kLine, 20);
    post(2, TransactionKind::read, kLine, 20);
    run(40);
    EXPECT_EQ(ports[0]->grants.size() + ports[2]->grants.size(), 2u);
    post(1, TransactionKind::unlock, kLine, 40);
    run();
    // Not at the edge of the unlock, whatever the number.
    EXPECT_EQ(ports[0]->grants.back().second, 43);
    EXPECT_EQ(ports[2]->grants.back().second, 43);
    EXPECT_TRUE(observer.uses[1].locked);
}

TEST_F(CrossbarTest, ALockInTheCacheEndsWithoutATransaction) {
    build_with_owners(2);
    bus->lock_in_cache(0, kLine, 0);
    post(1, TransactionKind::read, kLine, 0);
    run(30);
    EXPECT_TRUE(ports[1]->grants.empty());
    bus->release(0, kLine, false, 30 * kCycle);
    run();
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::read, 31}}));
}

TEST_F(CrossbarTest, PortsThatWantOneLineTakeTurns) {
    build(4);
    std::vector<ProcessorId> order;
    std::vector<std::size_t> granted(4);
    for (Time begin = 0; begin < 400; begin += 100) {
        for (ProcessorId port = 0; port < 4; ++port)
            post(port, TransactionKind::locked_read, kLine, begin);
        for (Time lap = 0; lap < 4; ++lap) {
            run(begin + 20 * (lap + 1));
            for (ProcessorId port = 0; port < 4; ++port)
                if (ports[port]->grants.size() > granted[port]) {
                    ++granted[port];
                    order.push_back(port);
                    bus->release(port, kLine, true, (begin + 20 * (lap + 1)) * kCycle);
                    break;
                }
        }
        order.push_back(kNobody);
    }
    const std::vector<ProcessorId> lap = {0, 1, 2, 3, kNobody};
    ASSERT_EQ(order.size(), 20u);
    for (std::size_t n = 0; n < order.size(); ++n) EXPECT_EQ(order[n], lap[n % 5]) << n;
}

TEST_F(CrossbarTest, TheRotationGoesOnFromTheFirstPortGranted) {
    build(3);
    post(0, TransactionKind::read, kOther, 0);
    post(1, TransactionKind::locked_read, kLine, 0);
    run(20);
    bus->release(1, kLine, true, 20 * kCycle);
    // Port 0 was the first at the last edge, so port 1 goes before port 0 now.
    post(0, TransactionKind::locked_read, kLine, 30);
    post(1, TransactionKind::locked_read, kLine, 30);
    run(40);
    EXPECT_EQ(ports[1]->grants.size(), 2u);
    EXPECT_EQ(ports[0]->grants.size(), 1u);
}

TEST_F(CrossbarTest, ALineInTransitToAnOwnerWaits) {
    build_with_owners(2);
    ports[0]->needs_as = TransactionKind::read_exclusive;
    post(0, TransactionKind::store, kLine, 0);
    post(1, TransactionKind::read, kLine, 0);
    run();
    EXPECT_EQ(ports[0]->grants, (Grants{{TransactionKind::read_exclusive, 2}}));
    ASSERT_EQ(ports[0]->arrivals.size(), 1u);
    ASSERT_EQ(ports[1]->grants.size(), 1u);
    EXPECT_GE(ports[1]->grants[0].second, ports[0]->arrivals[0]);
}

TEST_F(CrossbarTest, AStoreMadeInTheCacheDoesNotUseThePath) {
    build(1);
    ports[0]->needs_the_bus = false;
    post(0, TransactionKind::store, kLine, 0);
    post(0, TransactionKind::read, kOther, 0);
    run();
    EXPECT_EQ(ports[0]->made_without, (Grants{{TransactionKind::store, 2}}));
    EXPECT_EQ(ports[0]->grants, (Grants{{TransactionKind::read, 2}}));
}

TEST_F(CrossbarTest, OtherCachesSnoopAStore) {
    build(2);
    post(0, TransactionKind::store, kLine, 0, 7);
    run();
    EXPECT_EQ(ports[1]->snoops, (Grants{{TransactionKind::store, 2}}));
    EXPECT_TRUE(ports[1]->changed);
    EXPECT_EQ(memory.read(kLine, 4), 7u);
}

TEST_F(CrossbarTest, AWithdrawnRequestIsNotGranted) {
    build(1);
    post(0, TransactionKind::read, kLine, 10);
    EXPECT_EQ(bus->withdraw(0), TransactionKind::read);
    run();
    EXPECT_TRUE(observer.uses.empty());
}

// The second of two reads that are granted at one edge would wait for the first one's controller.
TEST_F(CrossbarTest, MemoryIsNeverBusyWhateverItsKeysSay) {
    InterconnectConfig config = test_bus_config();
    config.memory.controllers = 1;
    config.memory.read_busy_cycles = config.memory.store_busy_cycles = 50;
    build(2, config);
    post(0, TransactionKind::read, kLine, 0);
    post(1, TransactionKind::read, kOther, 0);
    run();
    EXPECT_EQ(ports[0]->arrivals, std::vector<Time>{10});
    EXPECT_EQ(ports[1]->arrivals, std::vector<Time>{10});
}

}  // namespace
}  // namespace symsim::test
