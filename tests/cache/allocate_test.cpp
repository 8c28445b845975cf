// SPDX-License-Identifier: MIT
// Tests the cache controller with write-through-allocate: a store that misses first reads its line.
// Times follow from controller_bench.h.
#include "sim/base/transaction_kind.h"
#include "sim/protocol/protocols.h"
#include "tests/cache/controller_bench.h"
#include "tests/support/part_configs.h"
#include "tests/support/small_machine.h"

namespace symsim::test {
namespace {

class AllocateTest : public ControllerTest {
  protected:
    AllocateTest() { protocol = &protocols::write_through_allocate; }
};

// The line arrives at 1000 ns, clock 16. The store's request is then seen at 1100 ns, granted at
// 1200 ns and complete at 1900 ns, clock 31.
TEST_F(AllocateTest, AStoreMissReadsItsLineThenGoesToMemoryByTheStorePolicy) {
    const std::vector<std::pair<StorePolicy, Time>> made_at = {
        {StorePolicy::buffered, 16}, {StorePolicy::block_port, 16}, {StorePolicy::stall, 31}};
    for (const auto& [policy, clock] : made_at) {
        build(policy);
        memory.write(kLine, 4, 0x11223344);
        const std::vector<Made> made = run({{0, Do::store, kLine + 2, 0, 7, 2}});
        EXPECT_EQ(made[0].clock, clock);
        EXPECT_EQ(made[0].how, Access::made);
        EXPECT_EQ(state_of(0, kLine), LineState::shared);
        EXPECT_EQ(memory.read(kLine, 4), 0x00073344u);
        EXPECT_EQ(transactions(),
                  (std::vector<TransactionKind>{TransactionKind::read, TransactionKind::store}));
        EXPECT_EQ(observer.uses[0].address, kLine);
        EXPECT_EQ(observer.uses[0].size, 16);
        EXPECT_EQ(observer.uses[2].start, 1200 * kNanosecond);
    }
}

TEST_F(AllocateTest, AStoreHitTakesAsLongAsWithoutAllocation) {
    for (const Protocol* const kind :
         {&protocols::write_through, &protocols::write_through_allocate}) {
        protocol = kind;
        build(StorePolicy::stall);
        warm(0, kLine);
        EXPECT_EQ(clocks({{0, Do::store, kLine, 0, 7}}), Clocks{15});
        EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::store});
    }
}

// The second store to the line and a load of it hit.
TEST_F(AllocateTest, ALineIsReadOnlyOnce) {
    build(StorePolicy::stall);
    const std::vector<Made> made = run(
        {{0, Do::store, kLine, 0, 7}, {0, Do::store, kLine + 4, 0, 8}, {0, Do::load, kLine, 0}});
    EXPECT_EQ(transactions(),
              (std::vector<TransactionKind>{TransactionKind::read, TransactionKind::store,
                                            TransactionKind::store}));
    EXPECT_EQ(made[2].how, Access::hit);
    EXPECT_EQ(made[2].value, 7u);
}

// Processor 1's read is granted at 200 ns, processor 0's store at 300 ns: the arriving line is
// stale.
TEST_F(AllocateTest, ALineInvalidatedOnItsWayIsNotInstalledAndTheStoreContinues) {
    build(2, StorePolicy::block_port);
    warm(0, kLine);
    const std::vector<Made> made =
        run({{0, Do::store, kLine, 3, 1, 1}, {1, Do::store, kLine + 1, 0, 2, 1}});
    EXPECT_EQ(made[1].clock, 16);
    EXPECT_EQ(transactions(),
              (std::vector<TransactionKind>{TransactionKind::read, TransactionKind::store,
                                            TransactionKind::store}));
    EXPECT_FALSE(holds(1, kLine));
    EXPECT_FALSE(holds(0, kLine)) << "the other's store has invalidated it";
    EXPECT_EQ(memory.read(kLine, 2), 0x0201u);
}

// The bus serves the requests of a processor in order, so the read comes after earlier stores.
TEST_F(AllocateTest, AReadForABufferedStoreComesAfterEarlierStores) {
    ControllerConfig config = test_controller_config();
    config.write_buffer_depth = 2;
    build(StorePolicy::buffered, config);
    warm(0, kLine);
    run({{0, Do::store, kLine, 0, 7}, {0, Do::store, kOther, 0, 8}});
    EXPECT_EQ(transactions(),
              (std::vector<TransactionKind>{TransactionKind::store, TransactionKind::read,
                                            TransactionKind::store}));
    EXPECT_TRUE(holds(0, kOther));
}

TEST_F(AllocateTest, ALockedStoreNeedsNoReadAfterItsLockedLoad) {
    build(StorePolicy::block_port);
    run({{0, Do::locked_load, kLine, 0},
         {0, Do::locked_store, kLine, 0, 1},
         {0, Do::unlock, 0, 0}});
    EXPECT_EQ(transactions(), (std::vector<TransactionKind>{TransactionKind::locked_read,
                                                            TransactionKind::locked_store,
                                                            TransactionKind::unlock}));
}

TEST_F(AllocateTest, StoresOutsideMemoryDoNotAllocate) {
    build(StorePolicy::block_port);
    const std::vector<Made> made =
        run({{0, Do::store, kDevice, 0, 7}, {0, Do::store, 1 << 20, 100, 7}});
    EXPECT_EQ(made[0].how, Access::made);
    EXPECT_EQ(made[1].how, Access::unmapped);
    EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::io_write});
}

// The program repeats mov [data + 14], eax.
TEST(Allocate, AStoreAcrossTwoLinesReadsBoth) {
    constexpr std::uint8_t kByte2 = SmallMachine::kData >> 16;
    SmallMachine machine(1, {0xa3, 14, 0, kByte2, 0, 0xeb, 0xf9}, test_controller_config(),
                         &protocols::write_through_allocate);
    machine.step_until(20 * kMicrosecond);
    for (const Address line : {SmallMachine::kData, SmallMachine::kData + 16})
        EXPECT_NE(machine.cache(0).cache().find(line), nullptr);
    unsigned reads = 0;
    for (const BusUse& use : machine.observer.uses)
        reads += use.kind == TransactionKind::read && !use.reply;
    EXPECT_EQ(reads, 2u);
}

}  // namespace
}  // namespace symsim::test
