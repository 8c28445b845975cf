// SPDX-License-Identifier: MIT
// The cache controller under write-update, invalidation on change, and without caches.
#include "sim/interconnect/transaction_kind.h"
#include "tests/cache/controller_bench.h"

namespace symsim::test {
namespace {

class WriteUpdateTest : public ControllerTest {
  protected:
    void build(unsigned processors) {
        protocol = ProtocolKind::write_update;
        ControllerTest::build(processors, StorePolicy::stall);
    }
};

TEST_F(WriteUpdateTest, ALoneReaderMayStoreInItsCacheASecondOneEndsThat) {
    build(2);
    const std::vector<Made> made = run({{0, Do::load, kLine, 0},
                                        {0, Do::store, kLine, 17, 7},
                                        {1, Do::load, kLine, 20},
                                        {0, Do::store, kLine, 60, 8}});
    EXPECT_EQ(made[1].how, Access::hit);
    // Asked at 1250 ns, granted at 1400; an owner's line comes at 2300.
    EXPECT_EQ(made[2].clock, 37);
    EXPECT_EQ(made[2].value, 7u);
    EXPECT_EQ(made[3].how, Access::made);
    EXPECT_EQ(state_of(0, kLine), LineState::shared);
    EXPECT_EQ(transactions(),
              (std::vector<TransactionKind>{TransactionKind::read, TransactionKind::read,
                                            TransactionKind::store}));
}

TEST_F(WriteUpdateTest, AStoreToASharedLineBringsTheOtherCopiesUpToDate) {
    build(3);
    for (ProcessorId p : {0, 1, 2}) warm(p, kLine);
    const std::vector<Made> made = run({{0, Do::store, kLine, 0, 7}, {1, Do::load, kLine, 20}});
    EXPECT_EQ(made[0].clock, 15);
    EXPECT_EQ(made[1].how, Access::hit);
    EXPECT_EQ(made[1].value, 7u);
    for (ProcessorId p : {0, 1, 2}) EXPECT_EQ(state_of(p, kLine), LineState::shared);
}

// The others have lost it meanwhile: the wire says so at the store, and the next one is a hit.
TEST_F(WriteUpdateTest, AStoreLearnsThatItsCopyIsAlone) {
    build(2);
    warm(0, kLine);
    const std::vector<Made> made = run({{0, Do::store, kLine, 0, 7}, {0, Do::store, kLine, 16, 8}});
    EXPECT_EQ(made[0].how, Access::made);
    EXPECT_EQ(made[1].how, Access::hit);
    EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::store});
    EXPECT_EQ(state_of(0, kLine), LineState::modified);
}

TEST_F(WriteUpdateTest, AStoreThatMissesBringsNothingInAndLeavesTheOwnerItsLine) {
    build(2);
    warm(1, kLine, LineState::modified);
    run({{0, Do::store, kLine, 0, 7}});
    EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::store});
    EXPECT_FALSE(holds(0, kLine));
    EXPECT_EQ(state_of(1, kLine), LineState::modified);
}

// Two reads at once: the second is granted while the first line is on its way.
TEST_F(WriteUpdateTest, ALineOnItsWayIsShared) {
    build(2);
    run({{0, Do::load, kLine, 0}, {1, Do::load, kLine, 0}});
    EXPECT_EQ(state_of(0, kLine), LineState::shared);
    EXPECT_EQ(state_of(1, kLine), LineState::shared);
}

TEST_F(WriteUpdateTest, AnExchangeUsesTheBusOnlyWhileTheLineIsShared) {
    const std::vector<Step> exchange = {{0, Do::locked_load, kLine, 0},
                                        {0, Do::locked_store, kLine, 20, 7},
                                        {0, Do::unlock, kLine, 40}};
    build(2);
    warm(0, kLine, LineState::exclusive);
    run(exchange);
    EXPECT_TRUE(transactions().empty());
    build(2);
    for (ProcessorId p : {0, 1}) warm(p, kLine);
    run(exchange);
    EXPECT_EQ(transactions(), (std::vector<TransactionKind>{TransactionKind::locked_read,
                                                            TransactionKind::locked_store,
                                                            TransactionKind::unlock}));
    // Alone when it is read: stored to in the cache, but the lock began on the bus.
    build(2);
    run(exchange);
    EXPECT_EQ(transactions(), (std::vector<TransactionKind>{TransactionKind::locked_read,
                                                            TransactionKind::unlock}));
}

class OnChangeTest : public ControllerTest {};

TEST_F(OnChangeTest, AFailingExchangeSparesTheOtherCopiesAndASuccessfulOneDoesNot) {
    for (const std::uint32_t stored : {1u, 0u}) {
        protocol = ProtocolKind::write_through_on_change;
        build(3, StorePolicy::block_port);
        memory.write(kLine, 4, 0xff01);
        for (ProcessorId p : {0, 1, 2}) warm(p, kLine);
        run({{0, Do::locked_load, kLine, 0, 0, 1},
             {0, Do::locked_store, kLine, 16, stored, 1},
             {0, Do::unlock, kLine, 40}});
        EXPECT_EQ(transactions(), (std::vector<TransactionKind>{TransactionKind::locked_read,
                                                                TransactionKind::locked_store,
                                                                TransactionKind::unlock}));
        for (ProcessorId p : {1, 2}) EXPECT_EQ(holds(p, kLine), stored == 1);
        EXPECT_TRUE(holds(0, kLine));
    }
}

// Of the value only the stored bytes count.
TEST_F(OnChangeTest, OnlyTheBytesStoredAreCompared) {
    protocol = ProtocolKind::write_through_on_change;
    build(2, StorePolicy::block_port);
    memory.write(kLine, 4, 0x11223344);
    warm(1, kLine);
    run({{0, Do::store, kLine, 0, 0xffffff44, 1}});
    EXPECT_TRUE(holds(1, kLine));
}

class NoCacheTest : public ControllerTest {};

// A datum comes in one cycle: 900 ns, clock 15; code by the line: 1000 ns.
TEST_F(NoCacheTest, EveryReferenceUsesTheBus) {
    protocol = ProtocolKind::no_cache;
    build(1, StorePolicy::stall);
    EXPECT_EQ(clocks({{0, Do::load, kLine, 0},
                      {0, Do::load, kLine, 16},
                      {0, Do::fetch, kLine, 32},
                      {0, Do::fetch, kLine, 48},
                      {0, Do::store, kLine, 64, 7}}),
              (Clocks{15, 31, 48, 64, 79}));
    EXPECT_EQ(transactions(),
              (std::vector<TransactionKind>{TransactionKind::read, TransactionKind::read,
                                            TransactionKind::fetch, TransactionKind::fetch,
                                            TransactionKind::store}));
    EXPECT_EQ(observer.uses[0].size, 4);
    EXPECT_FALSE(holds(0, kLine));
}

}  // namespace
}  // namespace symsim::test
