// SPDX-License-Identifier: MIT
// Tests the cache controller with write-through: store forwarding, locked sequences, lines
// invalidated on their way, speculative accesses, and devices. Times follow from
// controller_bench.h.
#include "sim/base/activity.h"
#include "sim/base/transaction_kind.h"
#include "tests/cache/controller_bench.h"
#include "tests/support/part_configs.h"

namespace symsim::test {
namespace {

// --- forwarding from the write buffer ------------------------------------------------------------

TEST_F(ControllerTest, ALoadCoveredByAPendingStoreIsForwarded) {
    build(StorePolicy::buffered);
    const std::vector<Made> made =
        run({{0, Do::store, kLine, 0, 0x11223344}, {0, Do::load, kLine + 1, 1, 0, 2}});
    EXPECT_EQ(made[1].clock, 1);
    EXPECT_EQ(made[1].how, Access::hit);
    EXPECT_EQ(made[1].value, 0x2233u);
    EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::store});
}

// The store is granted at 200 ns, so the read is posted at clock 4 and arrives at 1200 ns.
TEST_F(ControllerTest, ALoadPartlyCoveredByAPendingStoreWaitsUntilTheStoreIsGranted) {
    build(StorePolicy::buffered);
    memory.write(kLine, 4, 0xaabbccdd);
    const std::vector<Made> made =
        run({{0, Do::store, kLine + 1, 0, 0x11, 1}, {0, Do::load, kLine, 1}});
    EXPECT_EQ(made[1].clock, 20);
    EXPECT_EQ(made[1].value, 0xaabb11ddu);
    EXPECT_EQ(transactions(),
              (std::vector<TransactionKind>{TransactionKind::store, TransactionKind::read}));
}

// The request is posted when the store has been granted; it does not queue behind the store. With 3
// cycles of arbitration the difference is visible. The store is granted at 400 ns. The read is
// posted at 437.5 ns and granted at 800 ns.
TEST_F(ControllerTest, AnAccessThatWaitsForTheBufferPostsItsRequestAfterwards) {
    bus_config.arbitration_cycles = 3;
    for (const Do what : {Do::load, Do::locked_load}) {
        build(StorePolicy::buffered);
        EXPECT_EQ(clocks({{0, Do::store, kLine + 1, 0, 0x11, 1}, {0, what, kLine, 1}}),
                  (Clocks{0, 26}));
    }
}

TEST_F(ControllerTest, AHitUpdatesTheLastUseOfItsLine) {
    ControllerConfig config = test_controller_config();
    config.geometry = {32, 2, 16};  // one set
    build(StorePolicy::buffered, config);
    run({{0, Do::load, 0x1000, 0},
         {0, Do::load, 0x2000, 20},
         {0, Do::load, 0x1000, 40},
         {0, Do::load, 0x3000, 60}});
    EXPECT_TRUE(holds(0, 0x1000));
    EXPECT_FALSE(holds(0, 0x2000));
}

TEST_F(ControllerTest, AHitCombinesTheLineWithAPartialPendingStore) {
    build(StorePolicy::buffered);
    warm(0, kLine);
    memory.write(kLine, 4, 0xaabbccdd);
    const std::vector<Made> made =
        run({{0, Do::store, kLine + 1, 0, 0x11, 1}, {0, Do::load, kLine, 1}});
    EXPECT_EQ(made[1].clock, 1);
    EXPECT_EQ(made[1].value, 0xaabb11ddu);
}

TEST_F(ControllerTest, CodeJustWrittenIsFetchedOnlyOnceItIsInMemory) {
    build(StorePolicy::buffered);
    warm(0, kLine);
    EXPECT_EQ(clocks({{0, Do::store, kLine, 0, 1}, {0, Do::fetch_in_sequence, kLine + 8, 1}}),
              (Clocks{0, 4}));
}

TEST_F(ControllerTest, PeekSeesPendingStoresAndTakesNoTime) {
    build(StorePolicy::buffered);
    memory.write(kLine, 4, 0xaabbccdd);
    std::uint32_t unused = 0;
    ask({0, Do::store, kLine + 2, 0, 0x11, 1}, {0, true, Activity::user}, unused);
    EXPECT_EQ(memory.read(kLine, 4), 0xaabbccddu);
    EXPECT_EQ(caches[0]->peek(kLine, 4), 0xaa11ccddu);
    EXPECT_EQ(caches[0]->peek(0x7fff'fff0, 4), 0u) << "where there is no memory";
    EXPECT_EQ(observer.states.size(), 0u);
}

// --- locked sequences

// The locked read takes clocks 0 to 16. The locked store is posted at clock 20, granted at 1400 ns
// and complete at 2100 ns, clock 34. The unlock is granted at 2300 ns, and the bus is free at
// 2400 ns. Only then processor 1's read is granted; its line arrives at 3200 ns.
TEST_F(ControllerTest, ALockedSequenceBlocksOthersFromItsLineUntilTheUnlock) {
    build(2, StorePolicy::block_port);
    memory.write(kLine, 4, 1);
    const std::vector<Made> made = run({{0, Do::locked_load, kLine, 0},
                                        {0, Do::locked_store, kLine, 20, 2},
                                        {0, Do::unlock, kLine, 34},
                                        {1, Do::load, kLine, 17}});
    EXPECT_EQ(made[0].clock, 16);
    EXPECT_EQ(made[0].value, 1u);
    EXPECT_EQ(made[1].clock, 34);
    EXPECT_EQ(made[3].clock, 52);
    EXPECT_EQ(made[3].value, 2u);
    EXPECT_EQ(transactions(), (std::vector<TransactionKind>{
                                  TransactionKind::locked_read, TransactionKind::locked_store,
                                  TransactionKind::unlock, TransactionKind::read}));
    build(2, StorePolicy::block_port);
    EXPECT_EQ(clocks({{0, Do::locked_load, kLine, 0},
                      {0, Do::locked_store, kLine, 20, 2},
                      {0, Do::unlock, kLine, 34},
                      {1, Do::load, kOther, 17}})[3],
              32)
        << "another line is nobody's business";
}

// The locked store is granted at 1400 ns, and ends the lock then. The read of processor 1 is
// The locked store is granted at 1400 ns, and the unlock cycle follows it. The read of processor 1
// is granted when both have left the bus, at 1700 ns, and its line arrives at 2500 ns.
TEST_F(ControllerTest, TheUnlockCycleMayFollowTheLockedStore) {
    ControllerConfig config = test_controller_config();
    config.bus.unlock = UnlockPolicy::with_store;
    build(2, StorePolicy::block_port, config);
    const std::vector<Made> made = run({{0, Do::locked_load, kLine, 0},
                                        {0, Do::locked_store, kLine, 20, 2},
                                        {0, Do::unlock, kLine, 34},
                                        {1, Do::load, kLine, 17}});
    EXPECT_EQ(made[1].clock, 34);
    EXPECT_EQ(made[3].clock, 40);
    EXPECT_EQ(made[3].value, 2u);
    EXPECT_EQ(transactions(),
              (std::vector<TransactionKind>{TransactionKind::locked_read,
                                            TransactionKind::locked_store, TransactionKind::read}));
}

TEST_F(ControllerTest, AnOperandOfTwoDwordsIsUnlockedAfterBothStores) {
    ControllerConfig config = test_controller_config();
    config.bus.unlock = UnlockPolicy::with_store;
    for (const Address second : {kLine + 4, kOther}) {
        build(2, StorePolicy::block_port, config);
        run({{0, Do::locked_load, kLine, 0},
             {0, Do::locked_load, second, 0},
             {0, Do::locked_store, kLine, 40, 2},
             {0, Do::locked_store, second, 40, 3},
             {0, Do::unlock, kLine, 80},
             {1, Do::load, kLine, 50}});
        const auto all = transactions();
        EXPECT_EQ(std::count(all.begin(), all.end(), TransactionKind::unlock),
                  second == kOther ? 2 : 1);
        EXPECT_EQ(all.back(), TransactionKind::read);
    }
}

TEST_F(ControllerTest, ALockedReadUsesTheBusEvenIfItHits) {
    build(StorePolicy::buffered);
    warm(0, kLine);
    EXPECT_EQ(clocks({{0, Do::locked_load, kLine, 0}}), Clocks{16});
    EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::locked_read});
}

// Anderson, Lazowska & Levy (1989), section 4.1 (claim ALL-42): a failing xchgb writes the value
// that was there already. It uses the bus and invalidates every other copy all the same.
TEST_F(ControllerTest, AFailingExchangeInvalidatesAllOtherCopies) {
    build(3, StorePolicy::block_port);
    memory.write(kLine, 1, 1);
    for (ProcessorId p : {0, 1, 2}) warm(p, kLine);
    run({{0, Do::locked_load, kLine, 0, 0, 1},
         {0, Do::locked_store, kLine, 16, 1, 1},
         {0, Do::unlock, kLine, 40}});
    EXPECT_EQ(memory.read(kLine, 1), 1u);
    EXPECT_EQ(transactions(), (std::vector<TransactionKind>{TransactionKind::locked_read,
                                                            TransactionKind::locked_store,
                                                            TransactionKind::unlock}));
    EXPECT_TRUE(holds(0, kLine));
    EXPECT_FALSE(holds(1, kLine));
    EXPECT_FALSE(holds(2, kLine));
}

// Two exchanges of one byte begin at the same time: one follows the other, and no value is lost.
TEST_F(ControllerTest, TwoExchangesOnOneLineAreSerialised) {
    build(2, StorePolicy::block_port);
    const std::vector<Made> made = run({{0, Do::locked_load, kLine, 0, 0, 1},
                                        {0, Do::locked_store, kLine, 18, 1, 1},
                                        {0, Do::unlock, kLine, 19},
                                        {1, Do::locked_load, kLine, 0, 0, 1},
                                        {1, Do::locked_store, kLine, 18, 1, 1},
                                        {1, Do::unlock, kLine, 19}});
    EXPECT_EQ(made[0].value, 0u);
    EXPECT_EQ(made[3].value, 1u) << "the second finds what the first has left";
    EXPECT_GT(made[3].clock, made[2].clock);
}

TEST_F(ControllerTest, ALockedReadWaitsForTheOwnStoresBeforeIt) {
    build(StorePolicy::buffered);
    // The store is granted at 200 ns. The read is posted at 250 ns and has its line at 1200 ns.
    EXPECT_EQ(clocks({{0, Do::store, kOther, 0, 1}, {0, Do::locked_load, kLine, 1}}),
              (Clocks{0, 20}));
    build(StorePolicy::block_port);
    EXPECT_EQ(clocks({{0, Do::store, kOther, 0, 1}, {0, Do::locked_load, kLine, 1}}),
              (Clocks{0, 31}));
}

// --- lines invalidated on their way

// Read and store are posted at the same time; the arbiter takes port 0 first. The read is granted
// at 200 ns, the store at 300 ns.
TEST_F(ControllerTest, ALineInvalidatedOnItsWayServesTheAccessAndIsNotInstalled) {
    build(2, StorePolicy::buffered);
    memory.write(kLine, 4, 1);
    const std::vector<Made> made =
        run({{0, Do::load, kLine, 0}, {0, Do::load, kLine, 17}, {1, Do::store, kLine + 4, 0, 2}});
    EXPECT_EQ(made[0].clock, 16);
    EXPECT_EQ(made[0].value, 1u);
    EXPECT_EQ(made[1].how, Access::made) << "it had to be read again";
    EXPECT_EQ(transactions(),
              (std::vector<TransactionKind>{TransactionKind::read, TransactionKind::store,
                                            TransactionKind::read}));
    EXPECT_TRUE(holds(0, kLine));
}

TEST_F(ControllerTest, AStoreGrantedBeforeTheReadDoesNotInvalidateIt) {
    build(2, StorePolicy::buffered);
    const std::vector<Made> made =
        run({{0, Do::store, kLine, 0, 2}, {1, Do::load, kLine, 0}, {1, Do::load, kLine, 40}});
    EXPECT_EQ(made[1].value, 2u);
    EXPECT_EQ(made[2].how, Access::hit);
}

TEST_F(ControllerTest, AStoreToAnotherLineDoesNotInvalidateAFill) {
    build(2, StorePolicy::buffered);
    const std::vector<Made> made =
        run({{0, Do::load, kLine, 0}, {0, Do::load, kLine, 17}, {1, Do::store, kOther, 0, 2}});
    EXPECT_EQ(made[1].how, Access::hit);
}

// --- speculative accesses

TEST_F(ControllerTest, OnlyHitsAreMadeSpeculatively) {
    build(StorePolicy::buffered);
    warm(0, kLine);
    const AccessTime ahead{10 * 62'500, false, Activity::user};
    std::uint32_t value = 0;
    EXPECT_EQ(ask({0, Do::load, kLine, 0}, ahead, value), Access::hit);
    EXPECT_EQ(ask({0, Do::fetch, kLine, 0}, ahead, value), Access::hit);
    for (const Do what : {Do::load, Do::store, Do::fetch, Do::locked_load, Do::locked_store})
        EXPECT_EQ(ask({0, what, kOther, 0}, ahead, value), Access::retry);
    EXPECT_EQ(ask({0, Do::load, kDevice, 0}, ahead, value), Access::retry);
    EXPECT_EQ(ask({0, Do::load, 0x7000'0000, 0}, ahead, value), Access::retry);
    EXPECT_EQ(bus->next_event(), kNever) << "nothing has been asked of the bus";
}

TEST_F(ControllerTest, ASpeculativeLoadIsRefusedUntilThePortIsKnownToBeFree) {
    build(StorePolicy::block_port);
    warm(0, kLine);
    std::uint32_t value = 0;
    ask({0, Do::store, kOther, 0, 1}, {0, true, Activity::user}, value);
    EXPECT_EQ(ask({0, Do::load, kLine, 0}, {80 * 62'500, false, Activity::user}, value),
              Access::retry);
    while (bus->next_event() != kNever) bus->advance(bus->next_event());
    EXPECT_EQ(ask({0, Do::load, kLine, 0}, {14 * 62'500, false, Activity::user}, value),
              Access::retry);
    EXPECT_EQ(ask({0, Do::load, kLine, 0}, {15 * 62'500, false, Activity::user}, value),
              Access::hit);
}

// --- devices and unmapped addresses

// A dword takes one reply cycle: it arrives at 900 ns. The device's delay replaces memory's 400 ns
// if it is longer.
TEST_F(ControllerTest, ADeviceReadUsesTheBusAndItsDelayReplacesMemoryLatency) {
    const std::vector<std::pair<Time, Time>> delay_and_clock = {
        {0, 15}, {400, 15}, {500, 16}, {1000, 24}};
    for (const auto& [delay, clock] : delay_and_clock) {
        build(StorePolicy::block_port);
        devices.delay = delay * kNanosecond;
        devices.value = 6;
        const std::vector<Made> made = run({{0, Do::load, kDevice, 0}});
        EXPECT_EQ(made[0].clock, clock) << delay;
        EXPECT_EQ(made[0].value, 7u);
        EXPECT_EQ(made[0].how, Access::made);
    }
}

TEST_F(ControllerTest, ADeviceIsNeverCached) {
    build(StorePolicy::block_port);
    const std::vector<Made> made = run(
        {{0, Do::store, kDevice, 0, 4}, {0, Do::load, kDevice, 20}, {0, Do::load, kDevice, 40}});
    EXPECT_EQ(made[0].clock, 15) << "a device store waits for its end whatever the policy";
    EXPECT_EQ(made[1].value, 5u);
    EXPECT_EQ(transactions(),
              (std::vector<TransactionKind>{TransactionKind::io_write, TransactionKind::io_read,
                                            TransactionKind::io_read}));
}

TEST_F(ControllerTest, AnAccessToNoMemoryAndNoDeviceIsUnmapped) {
    const std::vector<std::pair<Do, Address>> rows = {
        {Do::load, kNoDevice},      {Do::store, kNoDevice},      {Do::load, 0x7000'0000},
        {Do::store, 0x7000'0000},   {Do::fetch, 0x7000'0000},    {Do::fetch, kDevice},
        {Do::locked_load, kDevice}, {Do::locked_load, 0x100000}, {Do::load, 0x100000},
        {Do::store, 0x100000}};
    for (const auto& [what, address] : rows) {
        build(StorePolicy::block_port);
        EXPECT_EQ(run({{0, what, address, 0}})[0].how, Access::unmapped)
            << static_cast<int>(what) << " at " << std::hex << address;
    }
}

TEST_F(ControllerTest, AnUnmappedAccessDoesNotAffectTheNext) {
    build(StorePolicy::block_port);
    const std::vector<Made> made = run({{0, Do::store, kNoDevice, 0, 1},
                                        {0, Do::store, kDevice, 30, 4},
                                        {0, Do::load, kNoDevice, 60},
                                        {0, Do::load, kDevice, 90}});
    EXPECT_EQ(made[1].how, Access::made);
    EXPECT_EQ(made[2].how, Access::unmapped);
    EXPECT_EQ(made[3].how, Access::made);
    EXPECT_EQ(made[3].value, 5u);
}

TEST_F(ControllerTest, BoardRegistersAreReadSpeculativelyWithoutTheBus) {
    build(3, StorePolicy::block_port);
    const AccessTime ahead{2 * kMicrosecond, false, Activity::user};
    std::uint32_t value = 0;
    EXPECT_EQ(ask({2, Do::load, 0xC800'0000, 0}, ahead, value), Access::hit);
    EXPECT_EQ(value, 2u);
    EXPECT_EQ(ask({2, Do::load, 0xC800'0004, 0}, ahead, value), Access::hit);
    EXPECT_EQ(value, 3u);
    EXPECT_EQ(ask({2, Do::load, 0xCC00'2000, 0}, ahead, value), Access::hit);
    EXPECT_EQ(value, 2u);
}

TEST_F(ControllerTest, AStoreIsPostedSpeculativelyOnlyIfAllowed) {
    build(StorePolicy::block_port);
    const AccessTime ahead{10 * 62'500, false, Activity::user};
    EXPECT_EQ(caches[0]->store(kLine, 4, ahead, 1), Access::retry);
    EXPECT_EQ(bus->next_event(), kNever);
    caches[0]->post_ahead(true);
    EXPECT_EQ(caches[0]->store(kLine, 4, ahead, 1), Access::made);
    EXPECT_EQ(caches[0]->posted_ahead_at(), ahead.at);
    EXPECT_EQ(caches[0]->store(kLine, 4, ahead, 2), Access::waiting) << "for the port";
}

}  // namespace
}  // namespace symsim::test
