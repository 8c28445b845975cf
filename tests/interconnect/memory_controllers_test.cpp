// SPDX-License-Identifier: MIT
// Memory controllers that are busy for a time: who waits, for how long, and who does not.
#include "sim/base/transaction_kind.h"
#include "tests/bus/bus_bench.h"
#include "tests/support/part_configs.h"

namespace symsim::test {
namespace {

// Longer than from a grant to the end of its reply, which is 7 cycles.
constexpr unsigned kReadBusy = 9;
constexpr unsigned kStoreBusy = 12;

class MemoryControllersTest : public BusTest {
  protected:
    static InterconnectConfig config(unsigned controllers, unsigned read_pipe = 1) {
        InterconnectConfig config = test_bus_config();
        config.memory.controllers = controllers;
        config.memory.interleave_bytes = 32;
        config.memory.read_busy_cycles = kReadBusy;
        config.memory.store_busy_cycles = kStoreBusy;
        config.memory.read_pipe = read_pipe;
        return config;
    }
    // The cycles between the grants of two requests that are posted at once.
    Time gap(TransactionKind first, Address one, TransactionKind second, Address other) {
        post(0, first, one, 0);
        post(1, second, other, 0);
        run();
        return ports[1]->grants.at(0).second - ports[0]->grants.at(0).second;
    }
};

TEST_F(MemoryControllersTest, AReadWaitsForAReadAtTheSameController) {
    build(2, config(2));
    EXPECT_EQ(gap(TransactionKind::read, 0x100, TransactionKind::read, 0x110), kReadBusy);
}

TEST_F(MemoryControllersTest, RequestsAtDifferentControllersDoNotWaitForEachOther) {
    build(2, config(2));
    EXPECT_EQ(gap(TransactionKind::read, 0x100, TransactionKind::read, 0x120), 1);
}

TEST_F(MemoryControllersTest, OneControllerHasAllLines) {
    build(2, config(1));
    EXPECT_EQ(gap(TransactionKind::read, 0x100, TransactionKind::read, 0x120), kReadBusy);
}

TEST_F(MemoryControllersTest, AStoreKeepsItsControllerBusyForItsOwnTime) {
    build(2, config(2));
    EXPECT_EQ(gap(TransactionKind::store, 0x100, TransactionKind::read, 0x110), kStoreBusy);
}

TEST_F(MemoryControllersTest, AnUnlockNeedsNoController) {
    build(2, config(1));
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(1, TransactionKind::store, 0x120, 0);
    run(30);
    post(1, TransactionKind::store, 0x120, 30);
    post(0, TransactionKind::unlock, 0x100, 31);
    run();
    // The owner of the lock goes first, as soon as the store has left the bus.
    EXPECT_EQ(ports[0]->grants.at(1).second, ports[1]->grants.at(1).second + 2);
}

TEST_F(MemoryControllersTest,
       OthersPassARequestWhoseControllerIsBusyAlsoIfBlockedOnesKeepTheirTurn) {
    InterconnectConfig c = config(2);
    c.locked_request = LockedRequest::keep_turn;
    build(3, c);
    post(0, TransactionKind::store, 0x100, 0);
    post(1, TransactionKind::read, 0x110, 0);
    post(2, TransactionKind::read, 0x120, 0);
    run();
    const Time first = ports[0]->grants[0].second;
    EXPECT_EQ(ports[2]->grants[0].second, first + 2);
    EXPECT_EQ(ports[1]->grants[0].second, first + kStoreBusy);
}

// Stores of port 1 to one controller and of port 2 to the other one fill the bus. Whenever it is
// the turn of the read, the controller works on a store of port 2.
TEST_F(MemoryControllersTest, ARefusedRequestGoesFirstWhenItsControllerIsFree) {
    build(3, config(2));
    for (int n = 0; n < 40; ++n) {
        post(1, TransactionKind::store, 0x120, 4 * n);
        post(2, TransactionKind::store, 0x100, 4 * n);
    }
    post(0, TransactionKind::read, 0x110, 20);
    run(400);
    ASSERT_FALSE(ports[0]->grants.empty());
    EXPECT_LE(ports[0]->grants[0].second, 20 + 2 + 2 * kStoreBusy);
}

TEST_F(MemoryControllersTest, ASecondReadMayWaitAtTheControllerAndIsAnsweredLater) {
    build(3, config(2, 2));
    post(0, TransactionKind::read, 0x100, 0);
    post(1, TransactionKind::read, 0x110, 0);
    post(2, TransactionKind::read, 0x100, 0);
    run();
    const Time first = ports[0]->grants[0].second;
    EXPECT_EQ(ports[1]->grants[0].second, first + 1);
    EXPECT_EQ(ports[1]->arrivals[0], ports[0]->arrivals[0] + kReadBusy);
    EXPECT_EQ(ports[2]->grants[0].second, first + kReadBusy) << "until the second has begun";
    EXPECT_EQ(ports[2]->arrivals[0], ports[0]->arrivals[0] + 2 * kReadBusy);
}

TEST_F(MemoryControllersTest, AStoreDoesNotWaitAtTheController) {
    build(2, config(2, 2));
    EXPECT_EQ(gap(TransactionKind::read, 0x100, TransactionKind::store, 0x110), kReadBusy);
}

TEST_F(MemoryControllersTest, AFreeControllerDelaysNothing) {
    build(1, config(2));
    post(0, TransactionKind::read, 0x100, 0);
    run(50);
    post(0, TransactionKind::read, 0x110, 50);
    run();
    InterconnectConfig never_busy = config(2);
    never_busy.memory.read_busy_cycles = never_busy.memory.store_busy_cycles = 0;
    const std::vector<Time> busy = ports[0]->arrivals;
    build(1, never_busy);
    post(0, TransactionKind::read, 0x100, 0);
    run(50);
    post(0, TransactionKind::read, 0x110, 50);
    run();
    EXPECT_EQ(ports[0]->arrivals, busy);
}

// The published 53.3 MB/s are 16 bytes in 3 cycles.
TEST_F(MemoryControllersTest, TwoControllersSustainALineInThreeCyclesIfEachIsBusyForSix) {
    InterconnectConfig six = config(2, 2);
    six.memory.read_busy_cycles = 6;
    build(8, six);
    constexpr unsigned kRounds = 20;
    for (unsigned round = 0; round < kRounds; ++round) {
        for (ProcessorId port = 0; port < 8; ++port)
            post(port, TransactionKind::read, 0x1000 + (round * 8 + port) * 16, round * 24);
        run(round * 24 + 24);
    }
    run();
    const Time begin = observer.uses.front().start, end = observer.uses.back().start;
    const double cycles_per_line = double(end - begin) / kCycle / (8 * kRounds);
    EXPECT_LT(cycles_per_line, 3.2);
}

}  // namespace
}  // namespace symsim::test
