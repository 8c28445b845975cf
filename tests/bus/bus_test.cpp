// SPDX-License-Identifier: MIT
// The bus: split transactions, arbitration, address locks, snoops and their filter, and replies.
#include "sim/base/transaction_kind.h"
#include "tests/bus/bus_bench.h"
#include "tests/support/part_configs.h"

namespace symsim::test {
namespace {

// Posted at 0: the first later edge is at cycle 1, and arbitration takes one more cycle.
TEST_F(BusTest, StoreOccupiesTwoCyclesAndReachesMemoryAtItsGrant) {
    build(2);
    post(0, TransactionKind::store, 0x100, 0, 0x12345678);
    EXPECT_EQ(bus->next_event(), 2 * kCycle);
    EXPECT_EQ(memory.read(0x100, 4), 0u);
    bus->advance(bus->next_event());
    EXPECT_EQ(memory.read(0x100, 4), 0x12345678u);
    EXPECT_EQ(ports[0]->grants, (Grants{{TransactionKind::store, 2}}));
    EXPECT_EQ(ports[1]->snoops, (Grants{{TransactionKind::store, 2}}));
    EXPECT_TRUE(ports[0]->snoops.empty());
    ASSERT_EQ(observer.uses.size(), 1u);
    EXPECT_EQ(observer.uses[0].duration, 2 * kCycle);
}

// 8 cycles from the grant: request 1, memory 4, reply 2, synchronise 1.
TEST_F(BusTest, ReadOccupiesTheBusTwiceAndOthersUseItInBetween) {
    build(2);
    post(0, TransactionKind::read, 0x100, 0);
    post(1, TransactionKind::store, 0x200, 0);
    run();
    EXPECT_EQ(ports[0]->grants, (Grants{{TransactionKind::read, 2}}));
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::store, 3}}));
    EXPECT_EQ(ports[0]->arrivals, (std::vector<Time>{10}));
    ASSERT_EQ(observer.uses.size(), 3u);
    EXPECT_TRUE(observer.uses[2].reply);
    EXPECT_EQ(observer.uses[2].start, 7 * kCycle);
    EXPECT_EQ(observer.uses[2].duration, 2 * kCycle);
}

TEST_F(BusTest, RequestPostedAtAnEdgeIsNotEligibleAtThatEdge) {
    InterconnectConfig config = test_bus_config();
    config.arbitration_cycles = 0;
    build(1, config);
    post(0, TransactionKind::store, 0x100, 5);
    EXPECT_EQ(bus->next_event(), 6 * kCycle);
}

TEST_F(BusTest, PortsAreGrantedRoundRobin) {
    build(3);
    for (int i = 0; i < 2; ++i)
        for (ProcessorId port : {2u, 1u, 0u})
            post(port, TransactionKind::store, 0x100 + 16 * port, 0);
    run();
    EXPECT_EQ(ports[0]->grants, (Grants{{TransactionKind::store, 2}, {TransactionKind::store, 8}}));
    EXPECT_EQ(ports[1]->grants,
              (Grants{{TransactionKind::store, 4}, {TransactionKind::store, 10}}));
    EXPECT_EQ(ports[2]->grants,
              (Grants{{TransactionKind::store, 6}, {TransactionKind::store, 12}}));
}

TEST_F(BusTest, FixedArbitrationPrefersLowNumbers) {
    InterconnectConfig config = test_bus_config();
    config.arbitration = Arbitration::fixed;
    build(2, config);
    post(1, TransactionKind::store, 0x200, 0);
    post(0, TransactionKind::store, 0x100, 0);
    post(0, TransactionKind::store, 0x100, 0);
    run();
    EXPECT_EQ(ports[0]->grants, (Grants{{TransactionKind::store, 2}, {TransactionKind::store, 4}}));
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::store, 6}}));
}

TEST_F(BusTest, ReplyGoesBeforeRequests) {
    build(2);
    post(0, TransactionKind::read, 0x100, 0);
    for (int i = 0; i < 5; ++i) post(1, TransactionKind::store, 0x200, 0);
    run();
    // Stores are granted at 3 and 5. At 7 the reply is ready and goes first.
    EXPECT_EQ(ports[0]->arrivals, (std::vector<Time>{10}));
    EXPECT_EQ(ports[1]->grants[2].second, 9);
}

// The locked read is granted at 2. A read of its line waits for the unlock; a read of another line
// does not.
TEST_F(BusTest, RequestsForALockedLineAreBlockedBeforeTheyUseTheBus) {
    build(3);
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(1, TransactionKind::read, 0x100, 0);
    post(2, TransactionKind::read, 0x200, 0);
    run(50);
    EXPECT_TRUE(ports[1]->grants.empty());
    EXPECT_EQ(ports[2]->grants, (Grants{{TransactionKind::read, 3}}));
    post(0, TransactionKind::locked_store, 0x104, 50, 7);
    run(60);
    EXPECT_TRUE(ports[1]->grants.empty());
    post(0, TransactionKind::unlock, 0x100, 60);
    run();
    EXPECT_EQ(ports[0]->grants[2], (std::pair<TransactionKind, Time>{TransactionKind::unlock, 62}));
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::read, 63}}));
}

TEST_F(BusTest, KeepTurnBlocksLaterPortsButNotTheOwner) {
    InterconnectConfig config = test_bus_config();
    config.locked_request = LockedRequest::keep_turn;
    build(3, config);
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(1, TransactionKind::read, 0x100, 0);
    post(2, TransactionKind::read, 0x200, 0);
    run(50);
    EXPECT_TRUE(ports[2]->grants.empty()) << "port 1 keeps its turn";
    post(0, TransactionKind::unlock, 0x100, 50);
    run();
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::read, 53}}));
    EXPECT_EQ(ports[2]->grants, (Grants{{TransactionKind::read, 54}}));
}

TEST_F(BusTest, UnlockAtTheEdgeThatKeptATurnAllowsAGrantAtTheNextEdge) {
    InterconnectConfig config = test_bus_config();
    config.locked_request = LockedRequest::keep_turn;
    build(3, config);
    bus->lock_in_cache(0, 0x100, 0);
    post(1, TransactionKind::store, 0x104, 0);
    post(2, TransactionKind::store, 0x200, 0);
    const Time kept = bus->next_event();
    bus->advance(kept);
    EXPECT_TRUE(observer.uses.empty());
    bus->release(0, 0x100, false, kept);
    EXPECT_EQ(bus->next_event(), kept + kCycle);
    run();
    EXPECT_EQ(ports[1]->grants[0].second, kept / kCycle + 1);
}

TEST_F(BusTest, WhileATurnIsKeptThereIsNoEdgeBeforeTheUnlock) {
    InterconnectConfig config = test_bus_config();
    config.locked_request = LockedRequest::keep_turn;
    build(4, config);
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(1, TransactionKind::read, 0x100, 1);
    post(2, TransactionKind::read, 0x200, 2);
    run(50);
    EXPECT_EQ(bus->next_event(), kNever);
    post(3, TransactionKind::read, 0x300, 60);  // it also waits for the port that keeps its turn
    run(80);
    EXPECT_EQ(bus->next_event(), kNever);
    post(0, TransactionKind::unlock, 0x100, 90);
    run();
    for (const int port : {1, 2, 3}) EXPECT_EQ(ports[port]->arrivals.size(), 1u) << port;
}

TEST_F(BusTest, HoldBusBlocksAllOtherPorts) {
    InterconnectConfig config = test_bus_config();
    config.locked_request = LockedRequest::hold_bus;
    build(2, config);
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(1, TransactionKind::store, 0x200, 0);
    run(50);
    EXPECT_TRUE(ports[1]->grants.empty());
    post(0, TransactionKind::unlock, 0x100, 50);
    run();
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::store, 53}}));
}

TEST_F(BusTest, LineStaysUnavailableAfterItsUnlockIfConfigured) {
    InterconnectConfig config = test_bus_config();
    config.line_unavailable_cycles = 10;
    build(2, config);
    post(0, TransactionKind::locked_read, 0x100, 0);
    run(20);
    post(0, TransactionKind::unlock, 0x100, 20);
    post(1, TransactionKind::read, 0x100, 20);
    run();
    EXPECT_EQ(ports[0]->grants[1].second, 22);
    EXPECT_EQ(ports[1]->grants, (Grants{{TransactionKind::read, 32}}));
}

TEST_F(BusTest, TwoLinesCanBeLockedAtOnce) {
    build(2);
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(1, TransactionKind::locked_read, 0x200, 0);
    run(50);
    EXPECT_EQ(ports[0]->grants[0].second, 2);
    EXPECT_EQ(ports[1]->grants[0].second, 3);
}

// A request that is posted after a blocked one must not schedule an edge for the blocked one.
TEST_F(BusTest, RequestAfterABlockedOneDoesNotChangeTheNextEdge) {
    build(2);
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(1, TransactionKind::store, 0x104, 0);
    run(50);
    const Time next = bus->next_event();
    post(1, TransactionKind::store, 0x200, 50);
    EXPECT_EQ(bus->next_event(), next);
}

// An operand across two lines: the owner of one line's lock is blocked from the other line like any
// other port.
TEST_F(BusTest, OwnerOfALockIsBlockedByAnotherPortsLock) {
    build(2);
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(1, TransactionKind::locked_read, 0x110, 0);
    run(20);
    post(0, TransactionKind::locked_read, 0x110, 20);
    run(50);
    EXPECT_EQ(ports[0]->grants.size(), 1u);
    post(1, TransactionKind::unlock, 0x110, 50);
    run();
    EXPECT_EQ(ports[1]->grants[1].second, 52);
    EXPECT_EQ(ports[0]->grants[1].second, 53);
}

TEST_F(BusTest, UnlockOfALineThatIsNotLockedAborts) {
    build(1);
    post(0, TransactionKind::unlock, 0x100, 0);
    EXPECT_DEATH(run(), "does not hold");
}

TEST_F(BusTest, SnoopOfAStoreSaysWhetherMemoryWillChange) {
    build(2);
    post(0, TransactionKind::store, 0x100, 0, 5);
    run();
    EXPECT_TRUE(ports[1]->changed);
    post(0, TransactionKind::store, 0x100, 10, 5);
    run();
    EXPECT_EQ(ports[1]->snoops.size(), 2u);
    EXPECT_FALSE(ports[1]->changed);
}

TEST_F(BusTest, StoreToCodeRollsBackItsPortAndIsReportedToTheCodePageWatch) {
    struct Kept final : CodePageWatch {
        Kept() {
            set_memory_size(0x2000);
            watch_page_of(0x1000);
        }
        bool covers_bytes(Address address, unsigned) const override { return address == 0x1200; }
        void bytes_written(Address address, unsigned) override { told.push_back(address); }
        std::vector<Address> told;
    } kept;
    build(3);
    bus = std::make_unique<Bus>(test_bus_config(), memory, kept, devices, observer);
    for (const auto& port : ports) bus->attach(*port);
    post(0, TransactionKind::store, 0x1100, 0, 5);
    post(1, TransactionKind::store, 0x1200, 0, 5);
    post(2, TransactionKind::store, 0x0ffc, 0, 5);  // on a page of which nothing is kept
    run();
    EXPECT_TRUE(ports[0]->code_at.empty());
    EXPECT_EQ(ports[1]->code_at, std::vector<Time>{ports[1]->grants[0].second * kCycle});
    EXPECT_EQ(kept.told, (std::vector<Address>{0x1100, 0x1200}));
}

TEST_F(BusTest, AllPortsSnoopUnlessSnoopsAreFiltered) {
    build(3);
    post(0, TransactionKind::store, 0x100, 0);
    run();
    EXPECT_EQ(ports[1]->snoops.size(), 1u);
    EXPECT_EQ(ports[2]->snoops.size(), 1u);
}

TEST_F(BusTest, FilteredSnoopsReachPortsThatHaveReadTheLine) {
    InterconnectConfig config = test_bus_config();
    config.filter_snoops = true;
    build(3, config);
    post(1, TransactionKind::read, 0x100, 0);
    post(0, TransactionKind::store, 0x10c, 20);
    post(0, TransactionKind::store, 0x110, 30);  // the next line
    run();
    EXPECT_EQ(ports[1]->snoops.size(), 1u);
    EXPECT_TRUE(ports[2]->snoops.empty());
}

TEST_F(BusTest, FilteredSnoopsReachAPortUntilItReportsTheLineAbsent) {
    InterconnectConfig config = test_bus_config();
    config.filter_snoops = true;
    build(2, config);
    post(1, TransactionKind::read, 0x100, 0);
    post(0, TransactionKind::store, 0x100, 20);
    post(0, TransactionKind::store, 0x104, 30);
    run(35);
    EXPECT_EQ(ports[1]->snoops.size(), 2u) << "it may still be in its prefetch queue";
    ports[1]->answer.absent = true;
    post(0, TransactionKind::store, 0x108, 40);
    post(0, TransactionKind::store, 0x10c, 50);
    run(60);
    EXPECT_EQ(ports[1]->snoops.size(), 3u);
    post(1, TransactionKind::read, 0x100, 70);
    post(0, TransactionKind::store, 0x108, 90);
    run();
    EXPECT_EQ(ports[1]->snoops.size(), 4u);
}

// A memory read overtakes an earlier device read that takes longer, but not if both have their data
// at the same time.
TEST_F(BusTest, RepliesComeInOrderOfReadyTimeThenOfGrant) {
    struct Slow final : DeviceSpace {
        DeviceReply read(Address, unsigned, Time) override { return {true, 7, delay}; }
        DeviceReply write(Address, unsigned, std::uint32_t, Time) override { return {}; }
        Time delay = 0;
    };
    using Arrivals = std::vector<Time>;
    for (const auto& [delay, device, memory] :
         {std::array<Time, 3>{4, 10, 12}, {5, 11, 13}, {6, 13, 11}}) {
        SCOPED_TRACE(delay);
        build(2);
        Slow slow;
        slow.delay = delay * kCycle;
        bus = std::make_unique<Bus>(test_bus_config(), this->memory, code, slow, observer);
        for (const auto& port : ports) bus->attach(*port);
        post(0, TransactionKind::io_read, kDeviceSpace, 0);
        post(1, TransactionKind::read, 0x100, 0);
        run();
        EXPECT_EQ(ports[0]->arrivals, Arrivals{device});
        EXPECT_EQ(ports[1]->arrivals, Arrivals{memory});
    }
}

TEST_F(BusTest, AccessWithoutADeviceIsReportedAsUnanswered) {
    build(1);
    post(0, TransactionKind::io_write, 0xE0000000, 0);
    run();
    EXPECT_FALSE(ports[0]->mapped);
}

}  // namespace
}  // namespace symsim::test
