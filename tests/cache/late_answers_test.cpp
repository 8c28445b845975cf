// SPDX-License-Identifier: MIT
// Tests the cache controller on an interconnect that answers later than it grants. The test says
// when each transaction is granted, answered and replied to; times are in nanoseconds.
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/activity.h"
#include "sim/base/transaction_kind.h"
#include "sim/cache/controller.h"
#include "sim/interconnect/interconnect.h"
#include "sim/protocol/protocols.h"
#include "tests/support/empty_machine.h"
#include "tests/support/idle_interconnect.h"
#include "tests/support/part_configs.h"
#include "tests/support/recording_observer.h"
#include "tests/support/wakes.h"

namespace symsim::test {
namespace {

constexpr Time kNanosecond = 1000;
constexpr Address kLine = 0x1000;

// A transaction takes effect when it is answered.
class HandDriven final : public IdleInterconnect {
  public:
    using IdleInterconnect::IdleInterconnect;

    // The port's oldest request is under way; it stays in its queue.
    void grant(ProcessorId port, Time at) {
        Request request = head(port);
        if (ports_[port].port->decides_at_grant() && is_store(request.kind))
            request.kind = ports_[port].port->needs(request, at).value();
        ports_[port].port->granted(request, at);
    }
    // Answers the port's oldest request, which has been granted.
    void answer(ProcessorId port, Time at) {
        Request request = head(port);
        ports_[port].queue.pop_front();
        note_head(port);
        if (ports_[port].port->decides_at_grant() && is_store(request.kind))
            request.kind = ports_[port].port->needs(request, at).value();
        const bool shared = snoops_.snoop(port, request, at).shares;
        if (is_store(request.kind)) memory_.write(request.address, request.size, request.value);
        ports_[port].port->answered(request, true, shared, at);
        if (has_reply(request.kind)) answered_.emplace_back(port, request);
    }
    void reply(ProcessorId port, Time at) {
        ports_[port].port->replied(take(answered_, port), 0, at);
    }
    // A reply that comes before the answer.
    void reply_early(ProcessorId port, Time at) { ports_[port].port->replied(head(port), 0, at); }

  private:
    using Requests = std::deque<std::pair<ProcessorId, Request>>;
    static Request take(Requests& requests, ProcessorId port) {
        for (auto entry = requests.begin(); entry != requests.end(); ++entry)
            if (entry->first == port) {
                const Request found = entry->second;
                requests.erase(entry);
                return found;
            }
        ADD_FAILURE() << "port " << port << " has no such request";
        return {};
    }

    Requests answered_;
};

class LateAnswersTest : public ::testing::Test {
  protected:
    void build(const Protocol& protocol, StorePolicy policy = StorePolicy::stall) {
        ControllerConfig config = test_controller_config();
        config.processors = 2;
        config.store_policy = policy;
        for (ProcessorId id : {0, 1}) {
            caches.push_back(std::make_unique<CacheController>(id, config, protocol, interconnect));
            caches[id]->connect(waiters[id]);
        }
    }
    Access load(ProcessorId p, Time at, std::uint32_t& value) {
        return caches[p]->load(kLine, 4, time(at), value);
    }
    Access load(ProcessorId p, Time at) {
        std::uint32_t value = 0;
        return load(p, at, value);
    }
    Access store(ProcessorId p, Time at, std::uint32_t value) {
        return caches[p]->store(kLine, 4, time(at), value);
    }
    void grant(ProcessorId p, Time at) { interconnect.grant(p, at * kNanosecond); }
    void answer(ProcessorId p, Time at) { interconnect.answer(p, at * kNanosecond); }
    void reply(ProcessorId p, Time at) { interconnect.reply(p, at * kNanosecond); }
    LineState state_of(ProcessorId p) {
        const Line* const line = caches[p]->cache().find(kLine);
        return line ? line->state : LineState::invalid;
    }
    // When the processor asks again, in ns, rounded up to its clock of 62.5 ns.
    Time wake_of(ProcessorId p) const { return wakes[p] / kNanosecond; }
    using States = std::vector<std::tuple<ProcessorId, Time, ProcessorState>>;

    Memory memory{1 << 20};
    NoCode code;
    HandDriven interconnect{memory, code};
    RecordingObserver observer;
    std::vector<std::unique_ptr<CacheController>> caches;
    std::vector<Time> wakes = {-kNanosecond, -kNanosecond};
    std::array<Wakes, 2> waiters = {Wakes{0, observer, wakes[0]}, Wakes{1, observer, wakes[1]}};

  private:
    static AccessTime time(Time at) { return {at * kNanosecond, true, Activity::user}; }
};

// --- reads

TEST_F(LateAnswersTest, AFillTakesTheStateThatTheAnswerSays) {
    build(protocols::illinois);
    EXPECT_EQ(load(0, 0), Access::waiting);
    grant(0, 200);
    answer(0, 600);
    reply(0, 1000);
    EXPECT_EQ(wake_of(0), 1000);
    EXPECT_EQ(load(0, 1000), Access::made);
    EXPECT_EQ(state_of(0), LineState::exclusive);

    EXPECT_EQ(load(1, 2000), Access::waiting);
    grant(1, 2200);
    answer(1, 2600);
    reply(1, 3000);
    EXPECT_EQ(load(1, 3000), Access::made);
    EXPECT_EQ(state_of(1), LineState::shared);
    EXPECT_EQ(state_of(0), LineState::shared);
}

TEST_F(LateAnswersTest, AReadIsServedFromItsGrantOn) {
    build(protocols::write_through);
    load(0, 0);
    grant(0, 200);
    answer(0, 600);
    reply(0, 1000);
    EXPECT_EQ(observer.states, (States{{0, 0, ProcessorState::waiting},
                                       {0, 200 * kNanosecond, ProcessorState::served}}));
}

// Another port's store takes effect before the answer, so the answer brings its bytes.
TEST_F(LateAnswersTest, ALineInvalidatedBeforeItsAnswerIsInstalled) {
    build(protocols::write_through);
    load(0, 0);
    store(1, 0, 7);
    grant(0, 200);
    grant(1, 300);
    answer(1, 400);
    answer(0, 600);
    reply(0, 1000);
    std::uint32_t value = 0;
    EXPECT_EQ(load(0, 1000, value), Access::made);
    EXPECT_EQ(value, 7u);
    EXPECT_EQ(state_of(0), LineState::shared);
}

TEST_F(LateAnswersTest, ALineInvalidatedAfterItsAnswerIsNotInstalled) {
    build(protocols::write_through);
    load(0, 0);
    store(1, 0, 7);
    grant(0, 200);
    answer(0, 300);
    grant(1, 400);
    answer(1, 500);
    reply(0, 1000);
    EXPECT_EQ(load(0, 1000), Access::made);
    EXPECT_EQ(state_of(0), LineState::invalid);
}

// The first answer says that no other cache has the line, the second one that the first has.
TEST_F(LateAnswersTest, TwoReadsUnderWayAtOnceShareTheLine) {
    build(protocols::illinois);
    load(0, 0);
    load(1, 0);
    grant(0, 200);
    grant(1, 300);
    answer(1, 500);
    answer(0, 600);
    for (ProcessorId p : {0, 1}) {
        reply(p, 1000);
        EXPECT_EQ(load(p, 1000), Access::made);
        EXPECT_EQ(state_of(p), LineState::shared) << p;
    }
}

TEST_F(LateAnswersTest, AReplyBeforeTheAnswerIsABug) {
    build(protocols::write_through);
    load(0, 0);
    grant(0, 200);
    EXPECT_DEATH(interconnect.reply_early(0, 500 * kNanosecond), "a reply of 0x1000");
}

// --- stores

// 7 bus cycles after the answer: 500 + 700 ns, at a clock of 62.5 ns.
TEST_F(LateAnswersTest, AStoreCompletesAfterItsAnswer) {
    build(protocols::write_through);
    EXPECT_EQ(store(0, 0, 7), Access::waiting);
    grant(0, 200);
    EXPECT_EQ(wake_of(0), -1);
    EXPECT_EQ(memory.read(kLine, 4), 0u);
    EXPECT_EQ(caches[0]->peek(kLine, 4), 7u) << "still in the write buffer";
    EXPECT_EQ(caches[1]->peek(kLine, 4), 0u);
    answer(0, 500);
    EXPECT_EQ(wake_of(0), 1250);
    EXPECT_EQ(memory.read(kLine, 4), 7u);
    EXPECT_EQ(store(0, 1250, 7), Access::made);
    EXPECT_EQ(observer.states, (States{{0, 0, ProcessorState::waiting},
                                       {0, 200 * kNanosecond, ProcessorState::served}}))
        << "served once, from the grant on";
}

// The store of another port is answered first, although granted last: it is performed first.
TEST_F(LateAnswersTest, StoresOfTwoPortsArePerformedInTheOrderOfTheirAnswers) {
    build(protocols::write_through);
    store(0, 0, 7);
    store(1, 0, 8);
    grant(0, 200);
    grant(1, 300);
    answer(1, 400);
    EXPECT_EQ(memory.read(kLine, 4), 8u);
    EXPECT_EQ(caches[0]->peek(kLine, 4), 7u);
    answer(0, 600);
    EXPECT_EQ(memory.read(kLine, 4), 7u);
    EXPECT_EQ(wake_of(1), 1125);
    EXPECT_EQ(wake_of(0), 1312);
}

TEST_F(LateAnswersTest, ThePortIsOccupiedUntilTheAnsweredStoreIsComplete) {
    build(protocols::write_through, StorePolicy::block_port);
    EXPECT_EQ(store(0, 0, 7), Access::made);
    grant(0, 200);
    EXPECT_EQ(caches[0]->port_free_from(), kNever);
    EXPECT_EQ(load(0, 300), Access::waiting);
    answer(0, 500);
    EXPECT_EQ(caches[0]->port_free_from(), 1200 * kNanosecond);
    EXPECT_EQ(wake_of(0), 1250);
    EXPECT_EQ(observer.states, (States{{0, 300 * kNanosecond, ProcessorState::waiting},
                                       {0, 500 * kNanosecond, ProcessorState::served}}))
        << "when the port is free is known from the answer on";
}

// The fast engine learns at the same time when the port is free.
TEST_F(LateAnswersTest, AnEngineThatRunsAheadIsToldOfThePortAtTheAnswer) {
    struct Engine final : InOrderWaiter {
        using InOrderWaiter::InOrderWaiter;
        void wake(Time) override {}
        void port_granted(Time at, Time free) override { told.emplace_back(at, free); }
        std::vector<std::pair<Time, Time>> told;
    } engine{0, observer};
    build(protocols::write_through, StorePolicy::block_port);
    caches[0]->connect(engine);
    store(0, 0, 7);
    EXPECT_EQ(load(0, 100), Access::waiting);
    grant(0, 200);
    EXPECT_TRUE(engine.told.empty());
    answer(0, 500);
    EXPECT_EQ(engine.told,
              (std::vector<std::pair<Time, Time>>{{500 * kNanosecond, 1250 * kNanosecond}}));
}

TEST_F(LateAnswersTest, ASlotOfTheWriteBufferIsFreeFromTheAnswerOn) {
    build(protocols::write_through, StorePolicy::buffered);
    EXPECT_EQ(store(0, 0, 7), Access::made);
    grant(0, 200);
    EXPECT_EQ(store(0, 300, 8), Access::waiting);
    answer(0, 500);
    EXPECT_EQ(wake_of(0), 500);
    EXPECT_EQ(store(0, 500, 8), Access::made);
}

// An update: the state after the store depends on whether others still have the line.
TEST_F(LateAnswersTest, AStoreLearnsFromItsAnswerWhetherTheLineIsShared) {
    build(protocols::write_update);
    for (ProcessorId p : {0, 1}) caches[p]->cache().install(kLine, LineState::shared, 0);
    store(0, 0, 7);
    grant(0, 200);
    EXPECT_EQ(state_of(0), LineState::shared);
    Cache::invalidate(*caches[1]->cache().find(kLine));
    answer(0, 500);
    EXPECT_NE(state_of(0), LineState::shared);
}

TEST_F(LateAnswersTest, AnUpgradeThatLosesItsLineIsAnsweredAsAReadExclusive) {
    build(protocols::write_back);
    caches[0]->cache().install(kLine, LineState::shared, 0);
    EXPECT_EQ(store(0, 0, 7), Access::waiting);
    grant(0, 200);
    Cache::invalidate(*caches[0]->cache().find(kLine));
    answer(0, 500);
    EXPECT_EQ(wake_of(0), -1);
    reply(0, 1000);
    EXPECT_EQ(wake_of(0), 1000);
    EXPECT_EQ(state_of(0), LineState::modified);
    EXPECT_EQ(observer.states, (States{{0, 0, ProcessorState::waiting},
                                       {0, 200 * kNanosecond, ProcessorState::served}}));
}

TEST_F(LateAnswersTest, ALineBroughtForAStoreIsModifiedAfterItsReply) {
    build(protocols::write_back);
    EXPECT_EQ(store(0, 0, 7), Access::waiting);
    grant(0, 200);
    answer(0, 600);
    EXPECT_EQ(wake_of(0), -1);
    reply(0, 1000);
    EXPECT_EQ(wake_of(0), 1000);
    EXPECT_EQ(state_of(0), LineState::modified);
}

TEST_F(LateAnswersTest, AWaitForALineThatIsOnItsWayIsServedAtOnce) {
    build(protocols::write_back, StorePolicy::buffered);
    EXPECT_EQ(caches[0]->store(kLine, 2, {0, true, Activity::user}, 7), Access::made);
    grant(0, 200);
    answer(0, 250);
    EXPECT_EQ(load(0, 300), Access::waiting) << "of more bytes than the store has";
    EXPECT_EQ(observer.states, (States{{0, 300 * kNanosecond, ProcessorState::served}}));
}

}  // namespace
}  // namespace symsim::test
