// SPDX-License-Identifier: MIT
// The cache controller on the real bus and memory. What processors ask is a script of accesses,
// each with the clock from which it is asked for; what comes out is the clock at which it is made.
//
// The numbers follow from the bus's defaults. An access asked for at clock 0 of 16 MHz: its request
// is seen at the edge behind, 100 ns, and granted after one cycle of arbitration, at 200 ns. A read
// then takes 1 cycle of request, 4 of memory, 2 of reply, 1 to synchronise: 1000 ns, clock 16. A
// store is complete 7 cycles behind its grant: 900 ns, which the processor sees at clock 15.
#include "sim/cache/controller.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/recording_observer.h"

namespace symsim {
namespace {

constexpr Address kLine = 0x1000;  // lines of 16 bytes, all in different sets
constexpr Address kOther = 0x1010;
constexpr Address kDevice = 0xD100'0000;
constexpr Address kNoDevice = 0xE000'0000;
constexpr Time kNanosecond = 1000;

class OneDevice final : public DeviceSpace {
  public:
    DeviceReply read(Address address, unsigned, Time) override {
        return {address == kDevice, value + 1, delay};
    }
    DeviceReply write(Address address, unsigned, std::uint32_t v, Time) override {
        value = v;
        return {address == kDevice, 0, 0};
    }
    std::uint32_t value = 0;
    Time delay = 0;
};

class NoCode final : public WriteWatch {
  public:
    bool covers(Address, unsigned) const override { return false; }
    void written(Address, unsigned) override {}
};

enum class Do { load, store, fetch, fetch_in_sequence, locked_load, locked_store, unlock };

// Made at `clock` or later: not before the same processor's step in front of it.
struct Step {
    ProcessorId processor;
    Do what;
    Address address;
    Time clock;
    std::uint32_t value = 0;
    unsigned size = 4;
};

struct Made {
    Time clock = -1;
    Access how = Access::waiting;
    std::uint32_t value = 0;
};

class ControllerTest : public ::testing::Test, private Waiter {
  protected:
    void build(unsigned processors, StorePolicy policy, ControllerConfig config = {}) {
        period = config.processor_period;
        observer = {};
        config.processors = processors;
        config.store_policy = policy;
        bus = std::make_unique<Bus>(bus_config, memory, code, devices, observer);
        caches.clear();
        Waiter& waiter = *this;
        wakes.assign(processors, kNever);
        for (ProcessorId id = 0; id < processors; ++id)
            caches.push_back(std::make_unique<CacheController>(id, config, write_through(), memory,
                                                               *bus, observer, waiter));
    }
    void build(StorePolicy policy, const ControllerConfig& config = {}) {
        build(1, policy, config);
    }

    // Has everything executed, in order of time, the bus first.
    std::vector<Made> run(const std::vector<Step>& script) {
        std::vector<Made> made(script.size());
        std::vector<std::size_t> next(caches.size());
        for (ProcessorId id = 0; id < caches.size(); ++id) {
            next[id] = following(script, id, 0);
            if (next[id] < script.size()) wakes[id] = script[next[id]].clock * period;
        }
        for (;;) {
            const auto first = std::min_element(wakes.begin(), wakes.end());
            if (bus->next_edge() <= *first) {
                if (bus->next_edge() == kNever) return made;
                bus->edge(bus->next_edge());
                continue;
            }
            const auto id = static_cast<ProcessorId>(first - wakes.begin());
            const Time now = std::exchange(*first, kNever);
            const std::size_t step = next[id];
            std::uint32_t value = 0;
            const Access how = ask(script[step], {now, true, Activity::user}, value);
            if (how == Access::waiting) continue;
            made[step] = {now / period, how, value};
            next[id] = following(script, id, step + 1);
            if (next[id] < script.size()) *first = std::max(now, script[next[id]].clock * period);
        }
    }

    std::vector<Time> clocks(const std::vector<Step>& script) {
        std::vector<Time> all;
        for (const Made& m : run(script)) all.push_back(m.clock);
        return all;
    }

    Access ask(const Step& s, const AccessTime& when, std::uint32_t& value) {
        CacheController& cache = *caches[s.processor];
        switch (s.what) {
            case Do::load:
                return cache.load(s.address, s.size, when, value);
            case Do::store:
                return cache.store(s.address, s.size, when, s.value);
            case Do::fetch:
                return cache.fetch(s.address, when, true);
            case Do::fetch_in_sequence:
                return cache.fetch(s.address, when, false);
            case Do::locked_load:
                return cache.locked_load(s.address, s.size, when, value);
            case Do::locked_store:
                return cache.locked_store(s.address, s.size, when, s.value);
            case Do::unlock:
                cache.unlock(when);
                return Access::made;
        }
        return Access::later;
    }

    // The line comes into the cache without any time: before all scripts.
    void warm(ProcessorId processor, Address line) {
        caches[processor]->cache().install(line, LineState::valid, 0);
    }
    bool holds(ProcessorId processor, Address address) {
        return caches[processor]->cache().find(address) != nullptr;
    }
    std::vector<Kind> transactions() const {
        std::vector<Kind> kinds;
        for (const BusUse& use : observer.uses)
            if (!use.reply) kinds.push_back(use.kind);
        return kinds;
    }

    BusConfig bus_config;
    Memory memory{1 << 20};
    NoCode code;
    OneDevice devices;
    test::RecordingObserver observer;
    std::unique_ptr<Bus> bus;
    std::vector<std::unique_ptr<CacheController>> caches;
    std::vector<Time> wakes;
    Time period = 0;

  private:
    static std::size_t following(const std::vector<Step>& script, ProcessorId id,
                                 std::size_t from) {
        while (from < script.size() && script[from].processor != id) ++from;
        return from;
    }
    void wake(ProcessorId processor, Time at) override { wakes[processor] = at; }
};

using Clocks = std::vector<Time>;

// --- loads
// ----------------------------------------------------------------------------------------

TEST_F(ControllerTest, AHitIsMadeAtOnceAndCostsTheConfiguredWait) {
    for (const std::uint32_t wait : {0u, 1u, 3u}) {
        ControllerConfig config;
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

// (asked for at clock, made at clock), at both clock rates.
TEST_F(ControllerTest, AMissTakesTheBusesTimeFromItsNextEdgeToTheProcessorsNextClock) {
    const std::vector<std::pair<Time, Time>> at_16_mhz = {
        {0, 16}, {1, 16}, {2, 18}, {3, 18}, {4, 20}, {5, 21}, {6, 21}, {7, 23}, {8, 24}};
    for (const auto& [asked, made] : at_16_mhz) {
        build(StorePolicy::block_port);
        EXPECT_EQ(clocks({{0, Do::load, kLine, asked}}), Clocks{made}) << "asked at " << asked;
    }
    ControllerConfig config;
    config.processor_period = 100'000;  // 10 MHz, as the bus
    for (const Time asked : {0, 1, 2, 7}) {
        build(StorePolicy::block_port, config);
        EXPECT_EQ(clocks({{0, Do::load, kLine, asked}}), Clocks{asked + 10});
    }
}

TEST_F(ControllerTest, AFillBringsTheWholeLineAndNoMore) {
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
    EXPECT_EQ(transactions(), (std::vector<Kind>{Kind::read, Kind::read}));
    EXPECT_EQ(observer.uses[0].address, kLine);
    EXPECT_EQ(observer.uses[0].size, 16);
}

TEST_F(ControllerTest, AFetchIsAFillOfItsOwnKind) {
    build(StorePolicy::block_port);
    EXPECT_EQ(clocks({{0, Do::fetch, kLine + 5, 0}, {0, Do::load, kLine, 20}}), (Clocks{16, 20}));
    EXPECT_EQ(transactions(), std::vector<Kind>{Kind::fetch});
}

TEST_F(ControllerTest, TellsTheObserverWhenAMissWaitsAndWhenItIsServed) {
    build(StorePolicy::block_port);
    run({{0, Do::load, kLine, 0}});
    const std::vector<std::tuple<ProcessorId, Time, State>> expected = {
        {0, 0, State::waiting}, {0, 200 * kNanosecond, State::served}};
    EXPECT_EQ(observer.states, expected);
}

// --- stores
// ---------------------------------------------------------------------------------------

TEST_F(ControllerTest, AStoreUpdatesTheOwnCopyAtOnceAndDropsOthersAtItsGrant) {
    build(2, StorePolicy::buffered);
    for (ProcessorId p : {0, 1}) warm(p, kLine);
    memory.write(kLine, 4, 3);
    const std::vector<Made> made = run({{0, Do::store, kLine, 0, 4},
                                        {0, Do::load, kLine, 1},
                                        {1, Do::load, kLine, 3},    // 187.5 ns: before the grant
                                        {1, Do::load, kLine, 4}});  // 250 ns: behind it
    EXPECT_EQ(made[1].how, Access::hit);
    EXPECT_EQ(made[1].value, 4u);
    EXPECT_EQ(made[2].how, Access::hit);
    EXPECT_EQ(made[2].value, 3u);
    EXPECT_EQ(made[3].how, Access::made);
    EXPECT_EQ(made[3].value, 4u);
    EXPECT_TRUE(holds(0, kLine)) << "the writer keeps its copy";
}

TEST_F(ControllerTest, AStoreThatMissesBringsNothingIn) {
    build(StorePolicy::buffered);
    const std::vector<Made> made = run({{0, Do::store, kLine, 0, 4}, {0, Do::load, kLine, 30}});
    EXPECT_EQ(made[1].how, Access::made);
    EXPECT_EQ(made[1].value, 4u);
    EXPECT_EQ(transactions(), (std::vector<Kind>{Kind::store, Kind::read}));
}

// Granted at 200 and 400 ns: the first clocks from there are 4 and 7.
TEST_F(ControllerTest, AFullBufferWaitsForASlotAndNoLonger) {
    build(StorePolicy::buffered);
    EXPECT_EQ(clocks({{0, Do::store, kLine, 0, 1},
                      {0, Do::store, kOther, 2, 2},
                      {0, Do::store, kLine + 4, 5, 3}}),
              (Clocks{0, 4, 7}));
    ControllerConfig deeper;
    deeper.write_buffer_depth = 2;
    build(StorePolicy::buffered, deeper);
    EXPECT_EQ(clocks({{0, Do::store, kLine, 0, 1},
                      {0, Do::store, kOther, 2, 2},
                      {0, Do::store, kLine + 4, 2, 3},
                      {0, Do::store, kLine + 8, 5, 4}}),
              (Clocks{0, 2, 4, 7}));
}

// What follows a store to another line at clock 0, by policy: a load that hits.
TEST_F(ControllerTest, AHitBehindAStoreWaitsForItsCompletionWherePolicySaysSo) {
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

// Complete 7 cycles behind the grant; other numbers of cycles, and the processor at 10 MHz.
TEST_F(ControllerTest, CompletionIsReckonedFromTheGrant) {
    struct Row {
        std::uint32_t cycles;
        Time period;
        Time clock;
    };
    for (const Row& row : {Row{1, 62'500, 5}, Row{7, 62'500, 15}, Row{8, 62'500, 16},
                           Row{9, 62'500, 18}, Row{7, 100'000, 9}}) {
        ControllerConfig config;
        config.store_completion_cycles = row.cycles;
        config.processor_period = row.period;
        build(StorePolicy::stall, config);
        EXPECT_EQ(clocks({{0, Do::store, kLine, 0, 1}}), Clocks{row.clock}) << row.cycles;
    }
}

TEST_F(ControllerTest, ABlockedPortHoldsUpStoresMissesAndBranchesButNotThePrefetcher) {
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

TEST_F(ControllerTest, WithoutABufferEveryStoreStalls) {
    ControllerConfig config;
    config.write_buffer_depth = 0;
    for (const StorePolicy policy : {StorePolicy::buffered, StorePolicy::block_port}) {
        build(policy, config);
        EXPECT_EQ(clocks({{0, Do::store, kLine, 0, 1}}), Clocks{15});
    }
}

// --- forwarding from the write buffer ------------------------------------------------------------

TEST_F(ControllerTest, ALoadInsideAPendingStoreIsServedFromTheBuffer) {
    build(StorePolicy::buffered);
    const std::vector<Made> made =
        run({{0, Do::store, kLine, 0, 0x11223344}, {0, Do::load, kLine + 1, 1, 0, 2}});
    EXPECT_EQ(made[1].clock, 1);
    EXPECT_EQ(made[1].how, Access::hit);
    EXPECT_EQ(made[1].value, 0x2233u);
    EXPECT_EQ(transactions(), std::vector<Kind>{Kind::store});
}

// The store is granted at 200 ns, so the read is asked for at clock 4 and arrives at 1200 ns.
TEST_F(ControllerTest, ALoadPartlyInAPendingStoreWaitsUntilItIsInMemory) {
    build(StorePolicy::buffered);
    memory.write(kLine, 4, 0xaabbccdd);
    const std::vector<Made> made =
        run({{0, Do::store, kLine + 1, 0, 0x11, 1}, {0, Do::load, kLine, 1}});
    EXPECT_EQ(made[1].clock, 20);
    EXPECT_EQ(made[1].value, 0xaabb11ddu);
    EXPECT_EQ(transactions(), (std::vector<Kind>{Kind::store, Kind::read}));
}

// It asks for the bus when the store is there, and not behind it in the queue. With 3 cycles of
// arbitration that shows: the store is granted at 400 ns, the read, asked for at 437.5, at 800.
TEST_F(ControllerTest, WhatWaitsForTheBufferAsksForTheBusOnlyThen) {
    bus_config.arbitration_cycles = 3;
    for (const Do what : {Do::load, Do::locked_load}) {
        build(StorePolicy::buffered);
        EXPECT_EQ(clocks({{0, Do::store, kLine + 1, 0, 0x11, 1}, {0, what, kLine, 1}}),
                  (Clocks{0, 26}));
    }
}

TEST_F(ControllerTest, AHitIsAUseOfItsLine) {
    ControllerConfig config;
    config.geometry = {32, 2, 16};  // one set
    build(StorePolicy::buffered, config);
    run({{0, Do::load, 0x1000, 0},
         {0, Do::load, 0x2000, 20},
         {0, Do::load, 0x1000, 40},
         {0, Do::load, 0x3000, 60}});
    EXPECT_TRUE(holds(0, 0x1000));
    EXPECT_FALSE(holds(0, 0x2000));
}

TEST_F(ControllerTest, WithTheLineHereAPartIsLaidOverIt) {
    build(StorePolicy::buffered);
    warm(0, kLine);
    memory.write(kLine, 4, 0xaabbccdd);
    const std::vector<Made> made =
        run({{0, Do::store, kLine + 1, 0, 0x11, 1}, {0, Do::load, kLine, 1}});
    EXPECT_EQ(made[1].clock, 1);
    EXPECT_EQ(made[1].value, 0xaabb11ddu);
}

TEST_F(ControllerTest, CodeJustWrittenIsFetchedOnceItIsInMemory) {
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
// -----------------------------------------------------------------------------

// Read 0 to 16. Store asked at 20, granted at 1400 ns, complete at 2100: clock 34. Unlock granted
// at 2300 ns, free at 2400: only then the other's read goes, and has its line at 3200.
TEST_F(ControllerTest, ALockedSequenceHoldsOffOthersFromItsLineUntilTheUnlock) {
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
    EXPECT_EQ(transactions(),
              (std::vector<Kind>{Kind::locked_read, Kind::locked_store, Kind::unlock, Kind::read}));
    build(2, StorePolicy::block_port);
    EXPECT_EQ(clocks({{0, Do::locked_load, kLine, 0},
                      {0, Do::locked_store, kLine, 20, 2},
                      {0, Do::unlock, kLine, 34},
                      {1, Do::load, kOther, 17}})[3],
              32)
        << "another line is nobody's business";
}

TEST_F(ControllerTest, ALockedReadGoesOverTheBusWhateverTheCacheHolds) {
    build(StorePolicy::buffered);
    warm(0, kLine);
    EXPECT_EQ(clocks({{0, Do::locked_load, kLine, 0}}), Clocks{16});
    EXPECT_EQ(transactions(), std::vector<Kind>{Kind::locked_read});
}

// ALL section 4.1 (claim ALL-42): a failing xchgb writes what was there, and all the same it uses
// the bus and drops every other copy.
TEST_F(ControllerTest, AFailingExchangeInvalidatesAllOtherCopies) {
    build(3, StorePolicy::block_port);
    memory.write(kLine, 1, 1);
    for (ProcessorId p : {0, 1, 2}) warm(p, kLine);
    run({{0, Do::locked_load, kLine, 0, 0, 1},
         {0, Do::locked_store, kLine, 16, 1, 1},
         {0, Do::unlock, kLine, 40}});
    EXPECT_EQ(memory.read(kLine, 1), 1u);
    EXPECT_EQ(transactions(),
              (std::vector<Kind>{Kind::locked_read, Kind::locked_store, Kind::unlock}));
    EXPECT_TRUE(holds(0, kLine));
    EXPECT_FALSE(holds(1, kLine));
    EXPECT_FALSE(holds(2, kLine));
}

// Two exchanges of one byte, begun at once: one after the other, and no value lost.
TEST_F(ControllerTest, TwoExchangesOfOneLineTakePlaceOneBehindTheOther) {
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
    // The store is granted at 200 ns; the read asks at 250 ns and has its line at 1200 ns.
    EXPECT_EQ(clocks({{0, Do::store, kOther, 0, 1}, {0, Do::locked_load, kLine, 1}}),
              (Clocks{0, 20}));
    build(StorePolicy::block_port);
    EXPECT_EQ(clocks({{0, Do::store, kOther, 0, 1}, {0, Do::locked_load, kLine, 1}}),
              (Clocks{0, 31}));
}

// --- lines that change on their way
// ---------------------------------------------------------------

// Reads and store are asked for at once; ports take turns, 0 first. The read is granted at 200 ns,
// the store at 300.
TEST_F(ControllerTest, ALineThatChangesOnItsWayServesTheAccessAndIsNotKept) {
    build(2, StorePolicy::buffered);
    memory.write(kLine, 4, 1);
    const std::vector<Made> made =
        run({{0, Do::load, kLine, 0}, {0, Do::load, kLine, 17}, {1, Do::store, kLine + 4, 0, 2}});
    EXPECT_EQ(made[0].clock, 16);
    EXPECT_EQ(made[0].value, 1u);
    EXPECT_EQ(made[1].how, Access::made) << "it had to be read again";
    EXPECT_EQ(transactions(), (std::vector<Kind>{Kind::read, Kind::store, Kind::read}));
    EXPECT_TRUE(holds(0, kLine));
}

TEST_F(ControllerTest, AStoreGrantedBeforeTheReadDoesNotSpoilIt) {
    build(2, StorePolicy::buffered);
    const std::vector<Made> made =
        run({{0, Do::store, kLine, 0, 2}, {1, Do::load, kLine, 0}, {1, Do::load, kLine, 40}});
    EXPECT_EQ(made[1].value, 2u);
    EXPECT_EQ(made[2].how, Access::hit);
}

TEST_F(ControllerTest, AStoreToAnotherLineOnTheWayChangesNothing) {
    build(2, StorePolicy::buffered);
    const std::vector<Made> made =
        run({{0, Do::load, kLine, 0}, {0, Do::load, kLine, 17}, {1, Do::store, kOther, 0, 2}});
    EXPECT_EQ(made[1].how, Access::hit);
}

// --- ahead of the bus
// -----------------------------------------------------------------------------

TEST_F(ControllerTest, AheadOfTheBusOnlyHitsAreMade) {
    build(StorePolicy::buffered);
    warm(0, kLine);
    const AccessTime ahead{10 * 62'500, false, Activity::user};
    std::uint32_t value = 0;
    EXPECT_EQ(ask({0, Do::load, kLine, 0}, ahead, value), Access::hit);
    EXPECT_EQ(ask({0, Do::fetch, kLine, 0}, ahead, value), Access::hit);
    for (const Do what : {Do::load, Do::store, Do::fetch, Do::locked_load, Do::locked_store})
        EXPECT_EQ(ask({0, what, kOther, 0}, ahead, value), Access::later);
    EXPECT_EQ(ask({0, Do::load, kDevice, 0}, ahead, value), Access::later);
    EXPECT_EQ(ask({0, Do::load, 0x7000'0000, 0}, ahead, value), Access::later);
    EXPECT_EQ(bus->next_edge(), kNever) << "nothing has been asked of the bus";
}

TEST_F(ControllerTest, AheadOfTheBusABlockedPortIsNotForeseen) {
    build(StorePolicy::block_port);
    warm(0, kLine);
    std::uint32_t value = 0;
    ask({0, Do::store, kOther, 0, 1}, {0, true, Activity::user}, value);
    EXPECT_EQ(ask({0, Do::load, kLine, 0}, {80 * 62'500, false, Activity::user}, value),
              Access::later);
    while (bus->next_edge() != kNever) bus->edge(bus->next_edge());
    EXPECT_EQ(ask({0, Do::load, kLine, 0}, {14 * 62'500, false, Activity::user}, value),
              Access::later);
    EXPECT_EQ(ask({0, Do::load, kLine, 0}, {15 * 62'500, false, Activity::user}, value),
              Access::hit);
}

// --- devices and the void
// -------------------------------------------------------------------------

// A dword comes in one reply cycle: 900 ns. The device's delay replaces the memory's 400 ns.
TEST_F(ControllerTest, ADeviceIsReadOverTheBusAndItsDelayLengthensThat) {
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
    EXPECT_EQ(transactions(), (std::vector<Kind>{Kind::io_write, Kind::io_read, Kind::io_read}));
}

TEST_F(ControllerTest, WhereNothingStandsTheAccessIsRefused) {
    const std::vector<std::pair<Do, Address>> rows = {
        {Do::load, kNoDevice},      {Do::store, kNoDevice},      {Do::load, 0x7000'0000},
        {Do::store, 0x7000'0000},   {Do::fetch, 0x7000'0000},    {Do::fetch, kDevice},
        {Do::locked_load, kDevice}, {Do::locked_load, 0x100000}, {Do::load, 0xffffe},
        {Do::store, 0xfffff}};
    for (const auto& [what, address] : rows) {
        build(StorePolicy::block_port);
        EXPECT_EQ(run({{0, what, address, 0}})[0].how, Access::nothing_there)
            << static_cast<int>(what) << " at " << std::hex << address;
    }
}

TEST_F(ControllerTest, ARefusedAccessDoesNotSpoilTheNext) {
    build(StorePolicy::block_port);
    const std::vector<Made> made = run({{0, Do::store, kNoDevice, 0, 1},
                                        {0, Do::store, kDevice, 30, 4},
                                        {0, Do::load, kNoDevice, 60},
                                        {0, Do::load, kDevice, 90}});
    EXPECT_EQ(made[1].how, Access::made);
    EXPECT_EQ(made[2].how, Access::nothing_there);
    EXPECT_EQ(made[3].how, Access::made);
    EXPECT_EQ(made[3].value, 5u);
}

TEST_F(ControllerTest, BoardRegistersAreReadWithoutTheBusEvenAhead) {
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

}  // namespace
}  // namespace symsim
