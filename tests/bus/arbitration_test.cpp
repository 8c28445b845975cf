// SPDX-License-Identifier: MIT
// Who is granted the bus next: the options of the arbiter that the sources leave open, and stores
// that end a lock.
#include "sim/base/transaction_kind.h"
#include "tests/bus/bus_bench.h"
#include "tests/support/part_configs.h"

namespace symsim::test {
namespace {

class ArbitrationTest : public BusTest {
  protected:
    // The ports in the order in which the bus granted them a plain read.
    std::vector<ProcessorId> order_of_reads() const {
        std::vector<ProcessorId> order;
        for (const BusUse& use : observer.uses)
            if (use.kind == TransactionKind::read && !use.reply) order.push_back(use.processor);
        return order;
    }
    // Port 0 locks a line. Port 1 asks for it, is blocked, and is first in the rotation. Ports 2
    // and 3 read other lines, port 3 after the unlock and together with port 1.
    std::vector<ProcessorId> order_after_unlock(LockedRequest locked_request) {
        InterconnectConfig config = test_bus_config();
        config.locked_request = locked_request;
        build(4, config);
        post(0, TransactionKind::locked_read, 0x100, 0);
        post(1, TransactionKind::read, 0x100, 1);
        post(2, TransactionKind::read, 0x200, 20);
        post(0, TransactionKind::unlock, 0x100, 40);
        post(3, TransactionKind::read, 0x300, 40);
        run();
        return order_of_reads();
    }
    void build_hold_bus() {
        InterconnectConfig config = test_bus_config();
        config.locked_request = LockedRequest::hold_bus;
        build(3, config);
    }
    // Begin and end of each hold, in cycles.
    using Holds = std::vector<std::pair<Time, Time>>;
    Holds holds() const {
        Holds found;
        for (const BusUse& hold : observer.holds)
            found.emplace_back(hold.start / kCycle, (hold.start + hold.duration) / kCycle);
        return found;
    }
    // Port 0 owns a lock and makes the locked store that ends it; port 1 reads the line.
    void lock_and_store(bool ends_lock, const InterconnectConfig& config = test_bus_config()) {
        build(2, config);
        post(0, TransactionKind::locked_read, 0x100, 0);
        post(1, TransactionKind::read, 0x108, 5);
        run(20);
        Request store;
        store.kind = TransactionKind::locked_store;
        store.address = 0x104;
        store.size = 4;
        store.value = 7;
        store.ends_lock = ends_lock;
        store.posted = 20 * kCycle;
        bus->post(0, store);
        run(100);
    }
};

// As many ports as a machine can have: the rotation passes the end of the set of ports.
TEST_F(ArbitrationTest, RotationGoesThroughAllPortsOfTheLargestMachine) {
    build(kMaxProcessors);
    post(5, TransactionKind::read, 0x100, 0);
    run(20);
    std::vector<ProcessorId> order = {5};
    for (ProcessorId p = 0; p < kMaxProcessors; ++p) {
        post(p, TransactionKind::read, 0x1000 + 16 * p, 20);
        order.push_back((6 + p) % kMaxProcessors);
    }
    run();
    EXPECT_EQ(order_of_reads(), order);
}

TEST_F(ArbitrationTest, ABlockedRequestThatIsSkippedLosesItsTurn) {
    EXPECT_EQ(order_after_unlock(LockedRequest::skip), (std::vector<ProcessorId>{2, 3, 1}));
}

TEST_F(ArbitrationTest, ABlockedRequestThatIsBypassedStaysTheNextInTurn) {
    EXPECT_EQ(order_after_unlock(LockedRequest::bypass), (std::vector<ProcessorId>{2, 1, 3}));
}

TEST_F(ArbitrationTest, AGrantBeforeTheBlockedRequestInTheRotationBypassesNobody) {
    InterconnectConfig config = test_bus_config();
    config.locked_request = LockedRequest::bypass;
    build(4, config);
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(2, TransactionKind::read, 0x100, 1);  // blocked
    post(1, TransactionKind::read, 0x200, 20);
    run(30);
    post(1, TransactionKind::read, 0x300, 40);
    post(3, TransactionKind::read, 0x400, 40);
    run(60);
    // The rotation has gone on to port 2, which is blocked: 3 is before 1.
    EXPECT_EQ(order_of_reads(), (std::vector<ProcessorId>{1, 3, 1}));
}

// While port 1 is blocked, ports 2 and 3 take turns: 2 is not always the next after 1.
TEST_F(ArbitrationTest, TheRotationGoesOnWhileARequestIsBypassed) {
    InterconnectConfig config = test_bus_config();
    config.locked_request = LockedRequest::bypass;
    build(4, config);
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(1, TransactionKind::read, 0x100, 1);  // blocked
    run(20);
    for (const ProcessorId port : {2, 3})
        for (int n = 0; n < 2; ++n) post(port, TransactionKind::read, 0x200, 20);
    run(60);
    EXPECT_EQ(order_of_reads(), (std::vector<ProcessorId>{2, 3, 2, 3}));
}

TEST_F(ArbitrationTest, TheOldestRequestIsGrantedFirst) {
    InterconnectConfig config = test_bus_config();
    config.arbitration = Arbitration::oldest;
    build(4, config);
    post(0, TransactionKind::store, 0x100, 0);  // occupies the bus meanwhile
    post(1, TransactionKind::read, 0x200, 2);
    post(3, TransactionKind::read, 0x300, 1);
    post(2, TransactionKind::read, 0x400, 2);
    run();
    EXPECT_EQ(order_of_reads(), (std::vector<ProcessorId>{3, 1, 2}));
}

TEST_F(ArbitrationTest, TheOldestRequestIsPassedOverWhileItIsBlockedAndFirstAfterwards) {
    InterconnectConfig config = test_bus_config();
    config.arbitration = Arbitration::oldest;
    build(4, config);
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(3, TransactionKind::read, 0x100, 1);
    post(1, TransactionKind::read, 0x200, 20);
    post(0, TransactionKind::unlock, 0x100, 40);
    post(2, TransactionKind::read, 0x300, 40);
    run();
    EXPECT_EQ(order_of_reads(), (std::vector<ProcessorId>{1, 3, 2}));
}

TEST_F(ArbitrationTest, TheOldestRequestKeepsItsTurnIfBlockedRequestsDo) {
    InterconnectConfig config = test_bus_config();
    config.arbitration = Arbitration::oldest;
    config.locked_request = LockedRequest::keep_turn;
    build(3, config);
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(2, TransactionKind::read, 0x100, 1);
    post(1, TransactionKind::read, 0x200, 20);
    run(40);
    EXPECT_TRUE(order_of_reads().empty());
    post(0, TransactionKind::unlock, 0x100, 40);
    run();
    EXPECT_EQ(order_of_reads(), (std::vector<ProcessorId>{2, 1}));
}

// Port 0 has a line locked from 2 to 52, port 1 waits with a store to another line from 2 on. The
// bus is used meanwhile from 2 to 3 and from 7 to 9.
TEST_F(ArbitrationTest, UnderHoldBusABlockedRequestHoldsTheBusWhileNobodyUsesIt) {
    build_hold_bus();
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(1, TransactionKind::store, 0x200, 0);
    run(50);
    post(0, TransactionKind::unlock, 0x100, 50);
    run();
    EXPECT_EQ(holds(), (Holds{{3, 7}, {9, 52}}));
    EXPECT_EQ(observer.holds[1].processor, 1u);
    EXPECT_EQ(observer.holds[1].kind, TransactionKind::store);
    EXPECT_EQ(observer.holds[1].address, 0x200u);
}

TEST_F(ArbitrationTest, TheBlockedRequestThatHasWaitedLongestHoldsTheBus) {
    build_hold_bus();
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(1, TransactionKind::read, 0x100, 20);
    post(2, TransactionKind::store, 0x200, 12);
    post(0, TransactionKind::unlock, 0x100, 50);
    run();
    EXPECT_EQ(holds(), (Holds{{14, 52}}));
    EXPECT_EQ(observer.holds[0].processor, 2u);
}

TEST_F(ArbitrationTest, ALockThatBlocksNobodyHoldsNoBus) {
    build_hold_bus();
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(0, TransactionKind::unlock, 0x100, 50);
    run();
    EXPECT_TRUE(holds().empty());
}

TEST_F(ArbitrationTest, AHoldUnderWayIsReportedAtTheEndOfTheRun) {
    build_hold_bus();
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(1, TransactionKind::store, 0x200, 20);
    run(40);
    bus->close(40 * kCycle);
    EXPECT_EQ(holds(), (Holds{{22, 40}}));
}

// Where lines have owners, the end of a lock is not a transaction.
TEST_F(ArbitrationTest, AHoldEndsWithTheLockThatHasNoUnlock) {
    InterconnectConfig config = test_bus_config();
    config.locked_request = LockedRequest::hold_bus;
    config.lines_have_owners = true;
    build(2, config);
    post(0, TransactionKind::locked_read, 0x100, 0);
    post(1, TransactionKind::store, 0x200, 20);
    run(40);
    bus->release(0, 0x100, true, 45 * kCycle);
    run();
    EXPECT_EQ(holds(), (Holds{{22, 45}}));
    EXPECT_EQ(ports[1]->grants[0].second, 46);
}

TEST_F(ArbitrationTest, BlockedRequestsHoldTheBusUnderNoOtherOption) {
    for (const auto option :
         {LockedRequest::skip, LockedRequest::keep_turn, LockedRequest::bypass}) {
        order_after_unlock(option);
        EXPECT_TRUE(holds().empty());
    }
}

TEST_F(ArbitrationTest, LockedReadsOfTheLowClassGoLast) {
    for (const auto& [locked_class, first] :
         {std::pair{LockedClass::same, TransactionKind::locked_read},
          std::pair{LockedClass::low, TransactionKind::read}}) {
        InterconnectConfig config = test_bus_config();
        config.locked_class = locked_class;
        build(3, config);
        post(0, TransactionKind::store, 0x100, 0);
        post(1, TransactionKind::locked_read, 0x200, 1);
        post(2, TransactionKind::read, 0x300, 1);
        run(20);
        ASSERT_GE(observer.uses.size(), 3u);
        EXPECT_EQ(observer.uses[1].kind, first);
    }
}

TEST_F(ArbitrationTest, TheOwnerOfALockIsOfNoClass) {
    InterconnectConfig config = test_bus_config();
    config.locked_class = LockedClass::low;
    build(2, config);
    post(0, TransactionKind::locked_read, 0x100, 0);
    run(10);
    post(0, TransactionKind::locked_read, 0x200, 20);  // the second line of its operand
    post(1, TransactionKind::read, 0x300, 20);
    run(40);
    EXPECT_EQ(ports[0]->grants[1].second, 22);
    EXPECT_EQ(ports[1]->grants[0].second, 23);
}

TEST_F(ArbitrationTest, ALockedStoreMayEndItsLock) {
    lock_and_store(true);
    EXPECT_EQ(memory.read(0x104, 4), 7u);
    ASSERT_EQ(ports[1]->grants.size(), 1u);
    EXPECT_EQ(ports[1]->grants[0].second, 25) << "after the store and the unlock cycle";
    for (const BusUse& use : observer.uses) EXPECT_NE(use.kind, TransactionKind::unlock);
}

TEST_F(ArbitrationTest, OtherLockedStoresEndNoLock) {
    lock_and_store(false);
    EXPECT_TRUE(ports[1]->grants.empty());
}

TEST_F(ArbitrationTest, ALineUnlockedByAStoreMayBeUnavailableForAWhile) {
    InterconnectConfig config = test_bus_config();
    config.line_unavailable_cycles = 10;
    lock_and_store(true, config);
    EXPECT_EQ(ports[1]->grants[0].second, ports[0]->grants[1].second + 10);
}

}  // namespace
}  // namespace symsim::test
