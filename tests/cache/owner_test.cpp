// SPDX-License-Identifier: MIT
// Tests the cache controller with write-back, where lines have owners. A store to an own line costs
// a hit. Other stores posted at clock 0 are granted at 200 ns. A store to a shared line is an
// upgrade, complete 2 cycles later, at 400 ns, clock 7. A store that misses is a read-exclusive;
// its line arrives at 1000 ns, clock 16, as a load's.
#include "sim/base/activity.h"
#include "sim/base/transaction_kind.h"
#include "sim/engine/speculation/rollback_points.h"
#include "sim/protocol/protocols.h"
#include "tests/cache/controller_bench.h"
#include "tests/support/part_configs.h"

namespace symsim::test {
namespace {

class OwnerTest : public ControllerTest {
  protected:
    OwnerTest() { protocol = &protocols::write_back; }
    void build(unsigned processors, StorePolicy policy = StorePolicy::stall,
               const ControllerConfig& config = test_controller_config()) {
        ControllerTest::build(processors, policy, config);
    }
};

TEST_F(OwnerTest, AStoreToAnOwnLineIsAHitWithoutTheBus) {
    protocol = &protocols::illinois;
    for (const LineState state : {LineState::exclusive, LineState::modified}) {
        build(2);
        warm(0, kLine, state);
        const std::vector<Made> made = run({{0, Do::store, kLine, 0, 7}, {0, Do::load, kLine, 1}});
        EXPECT_EQ(made[0].how, Access::hit);
        EXPECT_EQ(made[0].clock, 0);
        EXPECT_EQ(made[1].clock, 1);
        EXPECT_EQ(made[1].value, 7u);
        EXPECT_EQ(memory.read(kLine, 4), 7u);
        EXPECT_EQ(state_of(0, kLine), LineState::modified);
        EXPECT_TRUE(observer.uses.empty());
    }
}

TEST_F(OwnerTest, AStoreToASharedLineInvalidatesTheOtherCopies) {
    build(3);
    for (ProcessorId p : {0, 1, 2}) warm(p, kLine);
    EXPECT_EQ(clocks({{0, Do::store, kLine, 0, 7}, {0, Do::store, kLine, 8, 8}}), (Clocks{7, 8}));
    EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::upgrade});
    EXPECT_EQ(state_of(0, kLine), LineState::modified);
    EXPECT_EQ(state_of(1, kLine), LineState::invalid);
    EXPECT_EQ(state_of(2, kLine), LineState::invalid);
}

TEST_F(OwnerTest, AnUpgradeCompletesAfterTheConfiguredCycles) {
    for (const auto& [cycles, clock] :
         std::vector<std::pair<std::uint32_t, Time>>{{0, 4}, {1, 5}, {2, 7}, {5, 12}}) {
        ControllerConfig config = test_controller_config();
        config.upgrade_completion_cycles = cycles;
        build(1, StorePolicy::stall, config);
        warm(0, kLine);
        EXPECT_EQ(clocks({{0, Do::store, kLine, 0, 7}}), Clocks{clock}) << cycles;
    }
}

TEST_F(OwnerTest, AStoreThatMissesReadsTheLineAndOwnsIt) {
    build(2);
    warm(1, kLine);
    EXPECT_EQ(clocks({{0, Do::store, kLine + 4, 0, 7}, {0, Do::store, kLine, 16, 8}}),
              (Clocks{16, 16}));
    EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::read_exclusive});
    EXPECT_EQ(state_of(0, kLine), LineState::modified);
    EXPECT_EQ(state_of(1, kLine), LineState::invalid);
}

// Accesses that the processor makes while the line is on its way, until clock 16.
TEST_F(OwnerTest, AccessesThatNeedTheArrivingLineOrThePortWaitForIt) {
    struct Row {
        StorePolicy policy;
        Do what;
        Address address;
        Time clock;
    };
    for (const Row& row : {
             Row{StorePolicy::buffered, Do::load, kLine, 5},  // forwarded
             Row{StorePolicy::buffered, Do::load, kLine + 4, 16},
             Row{StorePolicy::buffered, Do::load, kOther, 5},
             Row{StorePolicy::buffered, Do::store, kLine + 4, 16},  // depth 1
             Row{StorePolicy::buffered, Do::fetch, kLine + 4, 16},
             Row{StorePolicy::buffered, Do::fetch, kOther, 5},
             Row{StorePolicy::buffered, Do::locked_load, kOther, 32},
             Row{StorePolicy::block_port, Do::load, kOther, 16},
             Row{StorePolicy::block_port, Do::fetch_in_sequence, kOther, 5},
             Row{StorePolicy::block_port, Do::store, kOther, 16},
         }) {
        build(1, row.policy);
        warm(0, kOther);
        EXPECT_EQ(clocks({{0, Do::store, kLine, 0, 7}, {0, row.what, row.address, 5, 8}})[1],
                  row.clock)
            << static_cast<int>(row.what) << " under " << index(row.policy);
    }
}

// Clock 15, 937.5 ns, is between the end of the reply, 900 ns, and the arrival, 1000 ns.
TEST_F(OwnerTest, ALineIsNotUsedBeforeItArrives) {
    for (const Do what : {Do::load, Do::fetch, Do::locked_load}) {
        build(1, StorePolicy::buffered);
        EXPECT_EQ(clocks({{0, Do::store, kLine, 0, 7}, {0, what, kLine + 8, 15, 8}})[1], 16)
            << static_cast<int>(what);
    }
}

TEST_F(OwnerTest, TwoBufferedStoresToOneLineReadItOnce) {
    ControllerConfig config = test_controller_config();
    config.write_buffer_depth = 4;
    build(1, StorePolicy::buffered, config);
    // The second store is made when the line arrives, at 1000 ns. The third is granted then, and
    // its line arrives 8 cycles later.
    EXPECT_EQ(clocks({{0, Do::store, kLine, 0, 1},
                      {0, Do::store, kLine + 4, 1, 2},
                      {0, Do::store, kOther, 2, 3},
                      {0, Do::load, kOther + 4, 17}}),
              (Clocks{0, 1, 2, 29}));
    EXPECT_EQ(transactions(), (std::vector<TransactionKind>{TransactionKind::read_exclusive,
                                                            TransactionKind::read_exclusive}));
}

// --- owners supply, victims are written back

TEST_F(OwnerTest, AnOwnerSuppliesAReadOneCycleLaterAndSharesTheLine) {
    build(2);
    warm(1, kLine, LineState::modified);
    memory.write(kLine, 4, 9);
    const std::vector<Made> made = run({{0, Do::load, kLine, 0}, {1, Do::load, kLine, 40}});
    EXPECT_EQ(made[0].clock, 18);  // 1100 ns
    EXPECT_EQ(made[0].value, 9u);
    EXPECT_EQ(made[1].how, Access::hit);
    EXPECT_EQ(state_of(0, kLine), LineState::shared);
    EXPECT_EQ(state_of(1, kLine), LineState::shared);
    EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::read})
        << "memory has got it by the reply";
}

TEST_F(OwnerTest, AnOwnerSuppliesAReadExclusiveAndLosesTheLine) {
    build(2);
    warm(1, kLine, LineState::modified);
    EXPECT_EQ(clocks({{0, Do::store, kLine, 0, 7}}), Clocks{18});
    EXPECT_EQ(state_of(1, kLine), LineState::invalid);
}

TEST_F(OwnerTest, AModifiedVictimIsWrittenBackAndASharedOneIsNot) {
    ControllerConfig config = test_controller_config();
    config.geometry = {16, 1, 16};
    for (const LineState state : {LineState::shared, LineState::modified})
        for (const Do what : {Do::load, Do::store, Do::locked_load}) {
            build(1, StorePolicy::stall, config);
            warm(0, kLine, state);
            run({{0, what, kOther, 0, 7}, {0, Do::unlock, kOther, 20}});
            std::vector<TransactionKind> expected = {what == Do::load ? TransactionKind::read
                                                     : what == Do::store
                                                         ? TransactionKind::read_exclusive
                                                         : TransactionKind::locked_read};
            if (state == LineState::modified) expected.push_back(TransactionKind::write_back);
            EXPECT_EQ(transactions(), expected);
            if (state == LineState::modified) {
                EXPECT_EQ(observer.uses.back().address, kLine);
                EXPECT_EQ(observer.uses.back().size, 16);
            }
        }
}

// --- exchanges

TEST_F(OwnerTest, AnExchangeOnAnOwnLineUsesNoBus) {
    build(2);
    warm(0, kLine, LineState::modified);
    const std::vector<Made> made = run({{0, Do::locked_load, kLine, 0},
                                        {0, Do::locked_store, kLine, 2, 7},
                                        {0, Do::unlock, kLine, 4},
                                        {1, Do::load, kLine, 0}});
    EXPECT_EQ(made[0].how, Access::hit);
    EXPECT_EQ(made[1].how, Access::hit);
    EXPECT_EQ(made[1].clock, 2);
    // Blocked until clock 4, 250 ns. Granted at the next edge, 300 ns, and supplied by the owner:
    // the line arrives at 1200 ns.
    EXPECT_EQ(made[3].clock, 20);
    EXPECT_EQ(made[3].value, 7u);
    EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::read});
}

TEST_F(OwnerTest, AnExchangeTakesOwnershipOnceAndUnlocksWithoutTheBus) {
    for (const LineState own : {LineState::invalid, LineState::shared}) {
        build(2);
        if (own == LineState::shared) warm(0, kLine);
        warm(1, kLine, own == LineState::shared ? LineState::shared : LineState::modified);
        const Time here = own == LineState::shared ? 16 : 18;
        const std::vector<Made> made = run({{0, Do::locked_load, kLine, 0},
                                            {0, Do::locked_store, kLine, here + 2, 7},
                                            {0, Do::unlock, kLine, here + 4},
                                            {0, Do::locked_load, kLine, here + 6},
                                            {0, Do::locked_store, kLine, here + 8, 8},
                                            {0, Do::unlock, kLine, here + 10}});
        EXPECT_EQ(made[0].clock, here);
        EXPECT_EQ(made[1].how, Access::hit);
        EXPECT_EQ(made[3].how, Access::hit);
        EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::locked_read});
        EXPECT_EQ(state_of(1, kLine), LineState::invalid);
    }
}

// The second half of the operand evicts the line of the first half, which is then stored to.
TEST_F(OwnerTest, ALockedLineThatIsEvictedIsReadAgain) {
    ControllerConfig config = test_controller_config();
    config.geometry = {16, 1, 16};
    build(1, StorePolicy::stall, config);
    run({{0, Do::locked_load, kLine + 12, 0},
         {0, Do::locked_load, kOther, 16},
         {0, Do::locked_store, kLine + 12, 40, 7},
         {0, Do::locked_store, kOther, 70, 8},
         {0, Do::unlock, kLine, 100}});
    EXPECT_EQ(memory.read(kLine + 12, 4), 7u);
    EXPECT_EQ(memory.read(kOther, 4), 8u);
    EXPECT_EQ(transactions(), (std::vector<TransactionKind>{
                                  TransactionKind::locked_read, TransactionKind::locked_read,
                                  TransactionKind::write_back, TransactionKind::read_exclusive,
                                  TransactionKind::write_back, TransactionKind::read_exclusive,
                                  TransactionKind::write_back}));
}

// --- speculative accesses

TEST_F(OwnerTest, SpeculativeStoresAreMadeInOwnLinesAndRolledBack) {
    protocol = &protocols::illinois;
    build(1, StorePolicy::buffered);
    warm(0, kLine, LineState::exclusive);
    warm(0, kOther);
    memory.write(kLine, 4, 3);
    UndoLog undo_log(*caches[0]);
    undo_log.save(0, 0);
    const AccessTime ahead{10 * 62'500, false, Activity::user};
    std::uint32_t value = 0;
    EXPECT_EQ(ask({0, Do::store, kLine, 0, 7}, ahead, value), Access::hit);
    EXPECT_EQ(ask({0, Do::store, kLine + 1, 0, 8, 1}, ahead, value), Access::hit);
    EXPECT_EQ(ask({0, Do::store, kOther, 0, 7}, ahead, value), Access::retry);
    EXPECT_EQ(ask({0, Do::locked_load, kLine, 0}, ahead, value), Access::retry);
    EXPECT_EQ(ask({0, Do::locked_store, kLine, 0, 1}, ahead, value), Access::retry);
    EXPECT_EQ(memory.read(kLine, 4), 0x807u);
    undo_log.restore(0);
    EXPECT_EQ(memory.read(kLine, 4), 3u);
    EXPECT_EQ(state_of(0, kLine), LineState::exclusive);
    EXPECT_EQ(caches[0]->cache().find(kLine)->used, 0);
    EXPECT_EQ(bus->next_event(), kNever);
}

TEST_F(OwnerTest, NoAccessIsSpeculativeWhileAStoreWaitsForItsLine) {
    build(1, StorePolicy::buffered);
    warm(0, kLine, LineState::modified);
    std::uint32_t value = 0;
    ask({0, Do::store, kOther, 0, 7}, {0, true, Activity::user}, value);
    const AccessTime ahead{62'500, false, Activity::user};
    for (const Do what : {Do::load, Do::store, Do::fetch})
        EXPECT_EQ(ask({0, what, kLine, 0, 7}, ahead, value), Access::retry);
}

}  // namespace
}  // namespace symsim::test
