// SPDX-License-Identifier: MIT
// The bus where lines have owners (write-back): its transactions, lines that an owner supplies,
// lines in transit, write-backs, and locks without a transaction.

#include "sim/base/transaction_kind.h"
#include "tests/bus/bus_bench.h"
#include "tests/support/part_configs.h"

namespace symsim::test {
namespace {

class OwnerTest : public BusTest {
  protected:
    void build(unsigned ports, InterconnectConfig config = test_bus_config()) {
        config.lines_have_owners = true;
        watch_reads = true;
        BusTest::build(ports, config);
    }
    // The occupancy of each use of the bus, in cycles.
    std::vector<Time> held() const {
        std::vector<Time> cycles;
        for (const BusUse& use : observer.uses) cycles.push_back(use.duration / kCycle);
        return cycles;
    }
};

using Times = std::vector<Time>;

// Granted at 2. The request occupies 1 cycle and the line 2; memory takes 4, synchronising 1.
TEST_F(OwnerTest, ReadExclusiveOccupiesOneCycleAndTwoAndWritesAtItsGrant) {
    build(1);
    ports[0]->needs_as = TransactionKind::read_exclusive;
    post(0, TransactionKind::store, 0x104, 0, 7);
    bus->advance(bus->next_event());
    EXPECT_EQ(memory.read(0x104, 4), 7u);
    run();
    EXPECT_EQ(ports[0]->grants, (Grants{{TransactionKind::read_exclusive, 2}}));
    EXPECT_EQ(held(), (Times{1, 2}));
    EXPECT_EQ(observer.uses[1].start, 7 * kCycle);
    EXPECT_EQ(ports[0]->arrivals, Times{10});
}

TEST_F(OwnerTest, UpgradeOccupiesOneCycleAndHasNoReply) {
    build(2);
    ports[0]->needs_as = TransactionKind::upgrade;
    post(0, TransactionKind::store, 0x100, 0, 7);
    post(1, TransactionKind::read, 0x200, 0);
    run();
    EXPECT_EQ(memory.read(0x100, 4), 7u);
    EXPECT_EQ(ports[1]->snoops, (Grants{{TransactionKind::upgrade, 2}}));
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::read, 3}}));
    EXPECT_TRUE(ports[0]->arrivals.empty());
    EXPECT_EQ(held()[0], 1);
}

// The port whose turn it is waits for the line that is in transit.
TEST_F(OwnerTest, NextEdgeIsTheReplyWhileALineIsInTransit) {
    build(2);
    ports[0]->needs_as = TransactionKind::read_exclusive;
    post(0, TransactionKind::store, 0x104, 0, 7);
    post(1, TransactionKind::read, 0x100, 0);
    bus->advance(bus->next_event());
    EXPECT_EQ(bus->next_event(), 7 * kCycle);
    run();
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::read, 10}}));
}

TEST_F(OwnerTest, NextEdgeIsWhenALaterRequestBecomesEligible) {
    build(2);
    post(0, TransactionKind::write_back, 0x100, 0);
    post(1, TransactionKind::read, 0x200, 10);
    bus->advance(bus->next_event());
    EXPECT_EQ(bus->next_event(), 12 * kCycle);
}

// One cycle for the address, then two for the line of 16 bytes.
TEST_F(OwnerTest, WriteBackOccupiesThreeCycles) {
    build(2);
    post(0, TransactionKind::write_back, 0x100, 0);
    post(1, TransactionKind::read, 0x200, 0);
    run();
    EXPECT_EQ(ports[0]->grants, (Grants{{TransactionKind::write_back, 2}}));
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::read, 5}}));
    EXPECT_EQ(held()[0], 3);
    EXPECT_EQ(observer.uses[0].address, 0x100u);
    EXPECT_EQ(observer.uses[0].size, 16);
}

TEST_F(OwnerTest, StoreToAnOwnedLineLeavesTheBusToAnotherPortAtTheSameEdge) {
    build(2);
    ports[0]->needs_the_bus = false;
    post(0, TransactionKind::store, 0x100, 0, 7);
    post(1, TransactionKind::read, 0x200, 0);
    run();
    EXPECT_EQ(ports[0]->made_without, (Grants{{TransactionKind::store, 2}}));
    EXPECT_TRUE(ports[0]->grants.empty());
    EXPECT_TRUE(ports[1]->snoops.empty());
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::read, 2}}));
}

TEST_F(OwnerTest, ReplyFromAnOwnerTakesOwnerSupplyCyclesLonger) {
    for (const std::uint32_t more : {0u, 1u, 2u, 5u})
        for (const bool supplies : {true, false}) {
            InterconnectConfig config = test_bus_config();
            config.owner_supply_cycles = more;
            build(2, config);
            ports[1]->answer = {true, supplies};
            post(0, TransactionKind::read, 0x100, 0);
            run();
            EXPECT_EQ(ports[0]->arrivals, Times{10 + (supplies ? more : 0)});
            EXPECT_TRUE(ports[0]->shared);
        }
}

// --- lines in transit ----------------------------------------------------------------------------

// The first reader has its line at 10, and in this test uses it at once.
TEST_F(OwnerTest, ReadersShareALineInTransitAndATakerWaits) {
    build(3);
    post(0, TransactionKind::read, 0x100, 0);
    post(1, TransactionKind::read, 0x100, 0);
    ports[2]->needs_as = TransactionKind::read_exclusive;
    post(2, TransactionKind::store, 0x104, 0, 7);
    run();
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::read, 3}}));
    EXPECT_EQ(ports[1]->arrivals, Times{12});
    EXPECT_EQ(ports[2]->grants, (Grants{{TransactionKind::read_exclusive, 12}}));
}

TEST_F(OwnerTest, TakerWaitsUntilTheReaderHasUsedTheLine) {
    build(2);
    ports[0]->uses_later = 1;
    post(0, TransactionKind::read, 0x100, 0);
    ports[1]->needs_as = TransactionKind::read_exclusive;
    post(1, TransactionKind::store, 0x104, 0, 7);
    run();
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::read_exclusive, 11}})) << "the next edge";
}

TEST_F(OwnerTest, LineThatChangesOwnerOrComesFromOneIsUnavailableToOthers) {
    for (const TransactionKind kind :
         {TransactionKind::store, TransactionKind::locked_read, TransactionKind::read}) {
        build(3);
        ports[0]->needs_as = TransactionKind::read_exclusive;
        ports[2]->answer.supplies = kind == TransactionKind::read;
        post(0, kind, 0x100, 0, 7);
        post(1, TransactionKind::read, 0x10c, 0);
        post(1, TransactionKind::read, 0x200, 0);
        run(14);
        if (kind == TransactionKind::locked_read) {
            EXPECT_TRUE(ports[1]->grants.empty());
            continue;
        }
        const Time arrives = kind == TransactionKind::read ? 11 : 10;
        ASSERT_FALSE(ports[1]->grants.empty());
        EXPECT_EQ(ports[1]->grants[0].second, arrives) << name(kind);
    }
}

TEST_F(OwnerTest, LineStaysUnavailableAfterArrivalAtAnOwnerButNotAtAReader) {
    InterconnectConfig config = test_bus_config();
    config.line_unavailable_cycles = 20;
    for (const bool owning : {true, false}) {
        build(2, config);
        ports[0]->needs_as = TransactionKind::read_exclusive;
        post(0, owning ? TransactionKind::store : TransactionKind::read, 0x100, 0, 7);
        ports[1]->needs_as = TransactionKind::read_exclusive;
        post(1, TransactionKind::store, 0x104, 0, 7);
        run();
        EXPECT_EQ(ports[1]->grants[0].second, owning ? 30 : 10);
    }
}

TEST_F(OwnerTest, SecondStoreOfAPortWaitsForTheLineOfTheFirst) {
    build(1);
    ports[0]->needs_as = TransactionKind::read_exclusive;
    post(0, TransactionKind::store, 0x100, 0, 1);
    post(0, TransactionKind::store, 0x200, 0, 2);
    run();
    EXPECT_EQ(ports[0]->grants, (Grants{{TransactionKind::read_exclusive, 2},
                                        {TransactionKind::read_exclusive, 10}}));
    build(1);
    ports[0]->needs_as = TransactionKind::read_exclusive;
    post(0, TransactionKind::store, 0x100, 0, 1);
    post(0, TransactionKind::read, 0x200, 0);
    run();
    EXPECT_EQ(ports[0]->grants,
              (Grants{{TransactionKind::read_exclusive, 2}, {TransactionKind::read, 3}}))
        << "a load";
}

// --- write-backs ---------------------------------------------------------------------------------

TEST_F(OwnerTest, WriteBackGoesBeforeEarlierRequestsOfItsPort) {
    build(2);
    post(1, TransactionKind::read, 0x300, 0);
    post(0, TransactionKind::read, 0x200, 0);
    post(0, TransactionKind::write_back, 0x100, 0);
    run();
    EXPECT_EQ(ports[0]->grants,
              (Grants{{TransactionKind::write_back, 2}, {TransactionKind::read, 6}}));
}

// After a store of 2 cycles the read is granted at 4. The port whose write-back waits supplies the
// line. Memory gets the line with the reply, so the write-back is dropped.
TEST_F(OwnerTest, WaitingWriteBackSuppliesTheLine) {
    for (const TransactionKind kind : {TransactionKind::read, TransactionKind::store}) {
        InterconnectConfig config = test_bus_config();
        config.store_cycles = 2;
        build(3, config);
        post(0, TransactionKind::io_write, 0xE0000000, 0);
        ports[1]->needs_as = TransactionKind::read_exclusive;
        post(1, kind, 0x104, 0);
        post(2, TransactionKind::write_back, 0x100, 0);
        post(2, TransactionKind::read, 0x200, 0);
        run();
        EXPECT_EQ(ports[1]->grants[0].second, 4);
        EXPECT_EQ(ports[1]->arrivals, Times{13}) << "with an owner's cycle more";
        EXPECT_EQ(ports[2]->grants, (Grants{{TransactionKind::read, 5}}));
    }
}

// The upgrading port has the line's bytes, and owns the line from now on (MOESI).
TEST_F(OwnerTest, AnUpgradeDropsAWaitingWriteBackOfItsLine) {
    for (const Address line : {0x100, 0x200}) {
        build(3);
        post(0, TransactionKind::io_write, 0xE0000000, 0);
        ports[1]->needs_as = TransactionKind::upgrade;
        post(1, TransactionKind::store, line + 4, 0);
        post(2, TransactionKind::write_back, 0x100, 0);
        run();
        EXPECT_EQ(ports[1]->grants.size(), 1u);
        EXPECT_EQ(ports[2]->grants.size(), line == 0x100 ? 0u : 1u);
    }
}

// Two lines in the same slot of the bus (Bus::slot_number()): they are 64 lines apart.
TEST_F(OwnerTest, WaitingWriteBackSuppliesTheLineAfterAnotherOfTheSameSlot) {
    constexpr Address kAlike = 0x100 + 64 * 16;
    build(4);
    post(0, TransactionKind::io_write, 0xE0000000, 0);
    post(1, TransactionKind::write_back, 0x100, 0);
    post(2, TransactionKind::read, kAlike, 0);
    post(3, TransactionKind::write_back, kAlike, 0);
    run();
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::write_back, 4}}));
    EXPECT_EQ(ports[2]->grants, (Grants{{TransactionKind::read, 7}}));
    EXPECT_EQ(ports[2]->arrivals, Times{16}) << "with an owner's cycle more";
    EXPECT_TRUE(ports[3]->grants.empty());
}

TEST_F(OwnerTest, ReadOfAnotherLineLeavesTheWriteBack) {
    build(3);
    post(0, TransactionKind::io_write, 0xE0000000, 0);
    post(1, TransactionKind::read, 0x110, 0);
    post(2, TransactionKind::write_back, 0x100, 0);
    run();
    EXPECT_EQ(ports[2]->grants, (Grants{{TransactionKind::write_back, 5}}));
    EXPECT_EQ(ports[1]->arrivals, Times{12});
}

// --- locks without a transaction -----------------------------------------------------------------

TEST_F(OwnerTest, LineLockedInACacheIsBlockedForOthersUntilItsRelease) {
    build(3);
    post(1, TransactionKind::read, 0x104, 0);
    bus->lock_in_cache(0, 0x100, 0);
    post(2, TransactionKind::read, 0x200, 0);
    run(50);
    EXPECT_TRUE(ports[1]->grants.empty());
    EXPECT_EQ(ports[2]->grants, (Grants{{TransactionKind::read, 2}}));
    bus->release(0, 0x100, false, 50 * kCycle);
    run();
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::read, 51}}));
    EXPECT_TRUE(ports[0]->grants.empty());
}

TEST_F(OwnerTest, LockInACacheDoesNotBlockTheBusUnderHoldBus) {
    InterconnectConfig config = test_bus_config();
    config.locked_request = LockedRequest::hold_bus;
    build(2, config);
    bus->lock_in_cache(0, 0x100, 0);
    post(1, TransactionKind::read, 0x200, 0);
    run();
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::read, 2}}));
}

// Port 0 owns a lock on the bus and wants the line that port 1 has locked in its cache. Port 1
// wants the bus.
TEST_F(OwnerTest, OwnerOfALockInItsCacheMayUseABusThatALockBlocks) {
    InterconnectConfig config = test_bus_config();
    config.locked_request = LockedRequest::hold_bus;
    build(3, config);
    post(0, TransactionKind::locked_read, 0x100, 0);
    run(20);
    bus->lock_in_cache(1, 0x200, 20 * kCycle);
    post(0, TransactionKind::read, 0x200, 20);
    post(1, TransactionKind::read, 0x300, 20);
    post(2, TransactionKind::read, 0x400, 20);
    run(50);
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::read, 22}}));
    EXPECT_TRUE(ports[2]->grants.empty());
    bus->release(1, 0x200, false, 50 * kCycle);
    run(60);
    EXPECT_EQ(ports[0]->grants.back(),
              (std::pair<TransactionKind, Time>{TransactionKind::read, 51}));
}

TEST_F(OwnerTest, NewLockInACacheUnblocksItsPortUnderHoldBus) {
    InterconnectConfig config = test_bus_config();
    config.locked_request = LockedRequest::hold_bus;
    build(2, config);
    post(0, TransactionKind::locked_read, 0x100, 0);
    run(20);
    post(1, TransactionKind::write_back, 0x300, 20);
    run(50);
    EXPECT_TRUE(ports[1]->grants.empty());
    bus->lock_in_cache(1, 0x200, 50 * kCycle);
    run(60);
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::write_back, 51}}));
}

TEST_F(OwnerTest, UnlockOnTheBusEndsOnlyTheLockBegunOnTheBus) {
    build(2);
    post(0, TransactionKind::locked_read, 0x100, 0);
    run(20);
    bus->lock_in_cache(0, 0x100, 20 * kCycle);
    post(0, TransactionKind::unlock, 0x100, 20);
    post(1, TransactionKind::read, 0x100, 20);
    run(50);
    EXPECT_TRUE(ports[1]->grants.empty()) << "held again";
    bus->release(0, 0x100, false, 50 * kCycle);
    run();
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::read, 51}}));
}

// --- code ----------------------------------------------------------------------------------------

// Processors with lower numbers than the writer have already executed what they do at that time.
TEST_F(OwnerTest, RollBackLineReachesAllPorts) {
    build(3);
    bus->roll_back_line(0x100, 7 * kCycle, 1);
    EXPECT_EQ(ports[0]->code_at, Times{7 * kCycle + 1});
    EXPECT_EQ(ports[1]->code_at, Times{7 * kCycle});
    EXPECT_EQ(ports[2]->code_at, Times{7 * kCycle});
}

}  // namespace
}  // namespace symsim::test
