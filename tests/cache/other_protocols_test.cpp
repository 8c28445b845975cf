// SPDX-License-Identifier: MIT
// Tests the cache controller with write-update, write-through-on-change, and without a cache. Times
// follow from controller_bench.h.
#include "sim/base/transaction_kind.h"
#include "sim/protocol/protocols.h"
#include "tests/cache/controller_bench.h"

namespace symsim::test {
namespace {

class WriteUpdateTest : public ControllerTest {
  protected:
    void build(unsigned processors) {
        protocol = &protocols::write_update;
        ControllerTest::build(processors, StorePolicy::stall);
    }
};

TEST_F(WriteUpdateTest, StoresStayInTheCacheUntilASecondReaderComes) {
    build(2);
    const std::vector<Made> made = run({{0, Do::load, kLine, 0},
                                        {0, Do::store, kLine, 17, 7},
                                        {1, Do::load, kLine, 20},
                                        {0, Do::store, kLine, 60, 8}});
    EXPECT_EQ(made[1].how, Access::hit);
    // Posted at 1250 ns, granted at 1400 ns; the owner supplies the line, which arrives at 2300 ns.
    EXPECT_EQ(made[2].clock, 37);
    EXPECT_EQ(made[2].value, 7u);
    EXPECT_EQ(made[3].how, Access::made);
    EXPECT_EQ(state_of(0, kLine), LineState::shared);
    EXPECT_EQ(transactions(),
              (std::vector<TransactionKind>{TransactionKind::read, TransactionKind::read,
                                            TransactionKind::store}));
}

TEST_F(WriteUpdateTest, AnExchangeOnASharedLineIsOneUpdate) {
    build(2);
    for (ProcessorId p : {0, 1}) warm(p, kLine);
    const std::vector<Made> made = run({{0, Do::exchange, kLine, 0, 7}, {1, Do::load, kLine, 20}});
    EXPECT_EQ(made[0].how, Access::made);
    EXPECT_EQ(made[0].clock, 15);  // a store is complete then
    EXPECT_EQ(made[0].value, 0u);
    EXPECT_EQ(made[1].value, 7u);
    EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::locked_store});
}

// Both post their updates at the same time. The second one sees what the first has stored.
TEST_F(WriteUpdateTest, AnExchangeReturnsWhatIsThereAtItsGrant) {
    build(3);
    for (ProcessorId p : {0, 1, 2}) warm(p, kLine);
    const std::vector<Made> made = run({{0, Do::exchange, kLine, 0, 7},
                                        {1, Do::exchange, kLine, 0, 8},
                                        {2, Do::store, kLine, 0, 9}});
    EXPECT_EQ(made[0].value, 0u);
    EXPECT_EQ(made[1].value, 7u);
    EXPECT_EQ(memory.read(kLine, 4), 9u);
}

TEST_F(WriteUpdateTest, AnExchangeReadsAMissingLineFirst) {
    build(2);
    warm(1, kLine);
    const std::vector<Made> made = run({{0, Do::exchange, kLine, 0, 7}});
    EXPECT_EQ(made[0].how, Access::made);
    EXPECT_EQ(state_of(0, kLine), LineState::shared);
    EXPECT_EQ(transactions(),
              (std::vector<TransactionKind>{TransactionKind::read, TransactionKind::locked_store}));
}

// Addresses are even where lines begin; no byte may be taken for "no exchange".
TEST_F(WriteUpdateTest, AnExchangeOfAnyByteIsMade) {
    build(2);
    for (ProcessorId p : {0, 1}) warm(p, 0);
    EXPECT_EQ(run({{0, Do::exchange, 1, 0, 7, 1}})[0].how, Access::made);
    EXPECT_EQ(observer.uses.size(), 1u);
}

TEST_F(WriteUpdateTest, AnOwnLineIsExchangedByLockedAccesses) {
    build(2);
    warm(0, kLine, LineState::exclusive);
    std::uint32_t before = 0;
    EXPECT_FALSE(caches[0]->exchange(kLine, 4, {0, true, Activity::user}, 7, before));
    EXPECT_FALSE(caches[0]->exchange(kDevice, 4, {0, true, Activity::user}, 7, before));
}

TEST_F(WriteUpdateTest, OnlyThisProtocolAndOptionExchangesByOneUpdate) {
    build(1);
    EXPECT_TRUE(caches[0]->exchanges());
    ControllerConfig config = test_controller_config();
    config.update_exchange = UpdateExchange::locked;
    ControllerTest::build(1, StorePolicy::stall, config);
    EXPECT_FALSE(caches[0]->exchanges());
    for (const Protocol* const other :
         {&protocols::write_through, &protocols::write_back, &protocols::write_through_on_change}) {
        protocol = other;
        ControllerTest::build(1, StorePolicy::stall);
        EXPECT_FALSE(caches[0]->exchanges());
    }
}

TEST_F(WriteUpdateTest, AStoreToASharedLineUpdatesTheOtherCopies) {
    build(3);
    for (ProcessorId p : {0, 1, 2}) warm(p, kLine);
    const std::vector<Made> made = run({{0, Do::store, kLine, 0, 7}, {1, Do::load, kLine, 20}});
    EXPECT_EQ(made[0].clock, 15);
    EXPECT_EQ(made[1].how, Access::hit);
    EXPECT_EQ(made[1].value, 7u);
    for (ProcessorId p : {0, 1, 2}) EXPECT_EQ(state_of(p, kLine), LineState::shared);
}

// No other cache has the line any more. The bus's shared line says so at the first store, and the
// second store is a hit.
TEST_F(WriteUpdateTest, AStoreOverTheBusFindsOutThatNoOtherCopyIsLeft) {
    build(2);
    warm(0, kLine);
    const std::vector<Made> made = run({{0, Do::store, kLine, 0, 7}, {0, Do::store, kLine, 16, 8}});
    EXPECT_EQ(made[0].how, Access::made);
    EXPECT_EQ(made[1].how, Access::hit);
    EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::store});
    EXPECT_EQ(state_of(0, kLine), LineState::modified);
}

TEST_F(WriteUpdateTest, AStoreMissDoesNotAllocateAndLeavesTheOwnerItsLine) {
    build(2);
    warm(1, kLine, LineState::modified);
    run({{0, Do::store, kLine, 0, 7}});
    EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::store});
    EXPECT_FALSE(holds(0, kLine));
    EXPECT_EQ(state_of(1, kLine), LineState::modified);
}

// Lines of 4 bytes, direct mapped, as in the Firefly.
class ShortLinesTest : public WriteUpdateTest {
  protected:
    void build(unsigned processors) {
        protocol = &protocols::write_update;
        ControllerConfig config = test_controller_config();
        config.geometry = {1024, 1, 4};
        bus_config.line_bytes = 4;
        ControllerTest::build(processors, StorePolicy::stall, config);
    }
};

TEST_F(ShortLinesTest, AStoreOfAWholeLineBringsIt) {
    build(2);
    const std::vector<Made> made = run({{0, Do::store, kLine, 0, 7}, {0, Do::store, kLine, 20, 8}});
    EXPECT_EQ(made[1].how, Access::hit);
    EXPECT_EQ(state_of(0, kLine), LineState::modified);
    EXPECT_FALSE(holds(0, kLine + 4));
    EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::store});
}

TEST_F(ShortLinesTest, AStoreOfAPartOfALineDoesNotBringIt) {
    build(2);
    run({{0, Do::store, kLine, 0, 7, 2}, {0, Do::store, kLine + 2, 20, 7, 2}});
    EXPECT_FALSE(holds(0, kLine));
    EXPECT_EQ(transactions().size(), 2u);
}

TEST_F(ShortLinesTest, ALineThatAStoreBringsIsSharedWithItsOwner) {
    for (const LineState before : {LineState::exclusive, LineState::modified}) {
        build(2);
        warm(1, kLine, before);
        const std::vector<Made> made = run({{0, Do::store, kLine, 0, 7}, {1, Do::load, kLine, 20}});
        EXPECT_EQ(made[1].how, Access::hit);
        EXPECT_EQ(made[1].value, 7u);
        for (const ProcessorId p : {0, 1}) EXPECT_EQ(state_of(p, kLine), LineState::shared);
    }
}

TEST_F(ShortLinesTest, ALineThatAStoreBringsMayEvictAModifiedOne) {
    build(1);
    warm(0, kLine + 1024, LineState::modified);
    run({{0, Do::store, kLine, 0, 7}});
    EXPECT_EQ(state_of(0, kLine), LineState::exclusive);
    EXPECT_EQ(transactions(),
              (std::vector<TransactionKind>{TransactionKind::store, TransactionKind::write_back}));
}

// Two reads are posted at one time. The second is granted while the line is on its way to the
// first.
TEST_F(WriteUpdateTest, ALineOnItsWayCountsAsShared) {
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
    // No other cache has the line when it is read, so the store is made in the cache. But the lock
    // began on the bus, so the unlock uses the bus.
    build(2);
    run(exchange);
    EXPECT_EQ(transactions(), (std::vector<TransactionKind>{TransactionKind::locked_read,
                                                            TransactionKind::unlock}));
}

class OnChangeTest : public ControllerTest {};

TEST_F(OnChangeTest, OnlyASuccessfulExchangeInvalidatesTheOtherCopies) {
    for (const std::uint32_t stored : {1u, 0u}) {
        protocol = &protocols::write_through_on_change;
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

// Bytes of the value beyond the size of the store do not count.
TEST_F(OnChangeTest, OnlyTheStoredBytesAreCompared) {
    protocol = &protocols::write_through_on_change;
    build(2, StorePolicy::block_port);
    memory.write(kLine, 4, 0x11223344);
    warm(1, kLine);
    run({{0, Do::store, kLine, 0, 0xffffff44, 1}});
    EXPECT_TRUE(holds(1, kLine));
}

class NoCacheTest : public ControllerTest {};

// A datum takes one reply cycle: 900 ns, clock 15. Code is fetched by the line: 1000 ns, clock 16.
TEST_F(NoCacheTest, EveryReferenceUsesTheBus) {
    protocol = &protocols::no_cache;
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
