// SPDX-License-Identifier: MIT
// Tests the cache controller with write-through: when loads and stores are made, and what each
// store policy delays. Times follow from controller_bench.h.
#include "sim/base/activity.h"
#include "sim/base/transaction_kind.h"
#include "sim/protocol/protocols.h"
#include "tests/cache/controller_bench.h"
#include "tests/support/part_configs.h"

namespace symsim::test {
namespace {

// --- loads

TEST_F(ControllerTest, AHitIsMadeAtOnceAndCostsTheConfiguredWaitState) {
    for (const std::uint32_t wait : {0u, 1u, 3u}) {
        ControllerConfig config = test_controller_config();
        config.hit_wait_clocks = wait;
        build(StorePolicy::block_port, config);
        warm(0, kLine);
        memory.write(kLine + 4, 4, 77);
        const std::vector<Made> made = run({{0, Do::load, kLine + 4, 5}});
        EXPECT_EQ(made[0].clock, 5);
        EXPECT_EQ(made[0].how, Access::hit);
        EXPECT_EQ(made[0].value, 77u);
        EXPECT_EQ(caches[0]->hit_wait(), wait * 62'500);
    }
    EXPECT_TRUE(observer.uses.empty());
}

// Pairs (clock of the request, clock at which the load is made), at two processor clock rates.
TEST_F(ControllerTest, AMissIsSeenAtTheNextBusEdgeAndEndsAtTheNextProcessorClock) {
    const std::vector<std::pair<Time, Time>> at_16_mhz = {
        {0, 16}, {1, 16}, {2, 18}, {3, 18}, {4, 20}, {5, 21}, {6, 21}, {7, 23}, {8, 24}};
    for (const auto& [asked, made] : at_16_mhz) {
        build(StorePolicy::block_port);
        EXPECT_EQ(clocks({{0, Do::load, kLine, asked}}), Clocks{made}) << "asked at " << asked;
    }
    ControllerConfig config = test_controller_config();
    config.processor_period = 100'000;  // 10 MHz, as the bus
    for (const Time asked : {0, 1, 2, 7}) {
        build(StorePolicy::block_port, config);
        EXPECT_EQ(clocks({{0, Do::load, kLine, asked}}), Clocks{asked + 10});
    }
}

TEST_F(ControllerTest, AFillReadsExactlyOneLine) {
    build(StorePolicy::block_port);
    memory.write(kLine + 12, 4, 9);
    const std::vector<Made> made = run({{0, Do::load, kLine + 2, 0, 0, 1},
                                        {0, Do::load, kLine + 12, 17},
                                        {0, Do::load, kLine + 16, 18}});
    EXPECT_EQ(made[0].how, Access::made) << "waited for, so no cost of a hit on top";
    EXPECT_EQ(made[1].how, Access::hit);
    EXPECT_EQ(made[1].clock, 17);
    EXPECT_EQ(made[1].value, 9u);
    EXPECT_EQ(made[2].how, Access::made);
    EXPECT_EQ(transactions(),
              (std::vector<TransactionKind>{TransactionKind::read, TransactionKind::read}));
    EXPECT_EQ(observer.uses[0].address, kLine);
    EXPECT_EQ(observer.uses[0].size, 16);
}

TEST_F(ControllerTest, AFetchIsATransactionKindOfItsOwn) {
    build(StorePolicy::block_port);
    EXPECT_EQ(clocks({{0, Do::fetch, kLine + 5, 0}, {0, Do::load, kLine, 20}}), (Clocks{16, 20}));
    EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::fetch});
}

TEST_F(ControllerTest, ReportsWhenAMissWaitsAndWhenItIsServed) {
    build(StorePolicy::block_port);
    run({{0, Do::load, kLine, 0}});
    const std::vector<std::tuple<ProcessorId, Time, ProcessorState>> expected = {
        {0, 0, ProcessorState::waiting}, {0, 200 * kNanosecond, ProcessorState::served}};
    EXPECT_EQ(observer.states, expected);
}

// --- stores

TEST_F(ControllerTest, AStoreUpdatesTheOwnCopyAtOnceAndInvalidatesOthersAtItsGrant) {
    build(2, StorePolicy::buffered);
    for (ProcessorId p : {0, 1}) warm(p, kLine);
    memory.write(kLine, 4, 3);
    const std::vector<Made> made = run({{0, Do::store, kLine, 0, 4},
                                        {0, Do::load, kLine, 1},
                                        {1, Do::load, kLine, 3},    // 187.5 ns: before the grant
                                        {1, Do::load, kLine, 4}});  // 250 ns: after it
    EXPECT_EQ(made[1].how, Access::hit);
    EXPECT_EQ(made[1].value, 4u);
    EXPECT_EQ(made[2].how, Access::hit);
    EXPECT_EQ(made[2].value, 3u);
    EXPECT_EQ(made[3].how, Access::made);
    EXPECT_EQ(made[3].value, 4u);
    EXPECT_TRUE(holds(0, kLine)) << "the writer keeps its copy";
}

TEST_F(ControllerTest, AStoreMissDoesNotAllocate) {
    build(StorePolicy::buffered);
    const std::vector<Made> made = run({{0, Do::store, kLine, 0, 4}, {0, Do::load, kLine, 30}});
    EXPECT_EQ(made[1].how, Access::made);
    EXPECT_EQ(made[1].value, 4u);
    EXPECT_EQ(transactions(),
              (std::vector<TransactionKind>{TransactionKind::store, TransactionKind::read}));
}

// The stores are granted at 200 and 400 ns: the first clocks from then on are 4 and 7.
TEST_F(ControllerTest, AStoreToAFullBufferWaitsOnlyForASlot) {
    build(StorePolicy::buffered);
    EXPECT_EQ(clocks({{0, Do::store, kLine, 0, 1},
                      {0, Do::store, kOther, 2, 2},
                      {0, Do::store, kLine + 4, 5, 3}}),
              (Clocks{0, 4, 7}));
    ControllerConfig deeper = test_controller_config();
    deeper.write_buffer_depth = 2;
    build(StorePolicy::buffered, deeper);
    EXPECT_EQ(clocks({{0, Do::store, kLine, 0, 1},
                      {0, Do::store, kOther, 2, 2},
                      {0, Do::store, kLine + 4, 2, 3},
                      {0, Do::store, kLine + 8, 5, 4}}),
              (Clocks{0, 2, 4, 7}));
}

// A load that hits follows a store to another line, made at clock 0.
TEST_F(ControllerTest, AHitAfterAStoreWaitsAsTheStorePolicySays) {
    for (Time asked = 1; asked <= 17; ++asked) {
        SCOPED_TRACE(asked);
        const std::vector<Step> script = {{0, Do::store, kOther, 0, 1},
                                          {0, Do::load, kLine, asked}};
        build(StorePolicy::buffered);
        warm(0, kLine);
        EXPECT_EQ(clocks(script), (Clocks{0, asked}));
        build(StorePolicy::block_port);
        warm(0, kLine);
        EXPECT_EQ(clocks(script), (Clocks{0, std::max<Time>(asked, 15)}));
        build(StorePolicy::stall);
        warm(0, kLine);
        EXPECT_EQ(clocks(script), (Clocks{15, std::max<Time>(asked, 15)}));
    }
}

// Completion 7 bus cycles after the grant, other numbers of cycles, and a processor at 10 MHz.
TEST_F(ControllerTest, CompletionCountsFromTheGrant) {
    struct Row {
        std::uint32_t cycles;
        Time period;
        Time clock;
    };
    for (const Row& row : {Row{1, 62'500, 5}, Row{7, 62'500, 15}, Row{8, 62'500, 16},
                           Row{9, 62'500, 18}, Row{7, 100'000, 9}}) {
        ControllerConfig config = test_controller_config();
        config.bus.store_completion_cycles = row.cycles;
        config.processor_period = row.period;
        build(StorePolicy::stall, config);
        EXPECT_EQ(clocks({{0, Do::store, kLine, 0, 1}}), Clocks{row.clock}) << row.cycles;
    }
}

TEST_F(ControllerTest, ABlockedPortDelaysStoresMissesAndBranchesButNotThePrefetcher) {
    const std::vector<std::pair<Do, Time>> rows = {
        {Do::store, 15}, {Do::load, 15}, {Do::fetch, 15}, {Do::fetch_in_sequence, 2}};
    for (const auto& [what, clock] : rows) {
        build(StorePolicy::block_port);
        warm(0, kLine);
        EXPECT_EQ(clocks({{0, Do::store, kOther, 0, 1}, {0, what, kLine, 2, 5}}),
                  (Clocks{0, clock}))
            << static_cast<int>(what);
    }
    // A miss asks for the bus only once the port is free: at 937.5 ns, so arrives at 1900 ns.
    build(StorePolicy::block_port);
    EXPECT_EQ(clocks({{0, Do::store, kOther, 0, 1}, {0, Do::load, kLine, 2}}), (Clocks{0, 31}));
}

TEST_F(ControllerTest, WithoutAWriteBufferEveryStoreStalls) {
    ControllerConfig config = test_controller_config();
    config.write_buffer_depth = 0;
    for (const StorePolicy policy : {StorePolicy::buffered, StorePolicy::block_port}) {
        build(policy, config);
        EXPECT_EQ(clocks({{0, Do::store, kLine, 0, 1}}), Clocks{15});
    }
}

// The bus does not snoop a port that has reported a line absent. Code can be executed from a line
// that is not installed: the line was invalidated on its way, or there is no cache. The bus must
// still snoop the port for such a line.
TEST_F(ControllerTest, ALineOnItsWayIsNotReportedAbsentEvenIfItWillNotBeInstalled) {
    for (const Protocol* const kind : {&protocols::write_through, &protocols::no_cache}) {
        protocol = kind;
        build(StorePolicy::block_port);
        std::uint32_t value = 0;
        const Step fetch{0, Do::fetch, kLine, 0};
        ASSERT_EQ(ask(fetch, {0, true, Activity::user}, value), Access::waiting);
        while (bus->last_grant() < 0) bus->advance(bus->next_event());
        const Time at = bus->last_grant() + 1;
        for (int stores = 0; stores < 2; ++stores)
            EXPECT_FALSE(caches[0]->snoop(TransactionKind::store, kLine, true, at).absent);
        EXPECT_TRUE(caches[0]->snoop(TransactionKind::store, kOther, true, at).absent);
        while (bus->next_event() != kNever) bus->advance(bus->next_event());
        EXPECT_FALSE(caches[0]->snoop(TransactionKind::store, kLine, true, wakes[0]).absent);
        ASSERT_EQ(ask(fetch, {wakes[0], true, Activity::user}, value), Access::made);
        EXPECT_TRUE(caches[0]->snoop(TransactionKind::store, kLine, true, wakes[0]).absent);
    }
}

}  // namespace
}  // namespace symsim::test
