// SPDX-License-Identifier: MIT
// The arbiter alone, without a bus: whom it chooses of requests that are eligible.
#include "sim/bus/arbiter.h"

#include <gtest/gtest.h>

#include "tests/support/part_configs.h"

namespace symsim::test {
namespace {

class ArbiterTest : public ::testing::Test {
  protected:
    explicit ArbiterTest(const InterconnectConfig& config = test_bus_config())
        : candidates(candidates_of(config)), arbiter(config) {}
    void build(const InterconnectConfig& config) {
        candidates = candidates_of(config);
        arbiter = Arbiter(config);
    }
    static Candidates candidates_of(const InterconnectConfig& config) {
        return {config, config.locked_request == LockedRequest::hold_bus};
    }
    void request(ProcessorId port, Address line, Time eligible = 0,
                 TransactionKind kind = TransactionKind::read) {
        candidates.requested(port, kind, line, eligible);
    }
    void lock(ProcessorId owner, Address line) {
        candidates.locks.begin(owner, line, true, candidates.requests);
        arbiter.locks_changed();
    }
    void unlock(ProcessorId owner, Address line) {
        candidates.locks.end(owner, line, true, candidates.requests);
        arbiter.locks_changed();
    }
    // Chooses a port at `at`, and removes its request.
    ProcessorId grant(Time at) {
        const ProcessorId port = arbiter.choose(candidates, at);
        if (port == kNobody) return port;
        arbiter.request_gone(port);
        candidates.no_request(port);
        return port;
    }

    Candidates candidates;
    Arbiter arbiter;
};

TEST_F(ArbiterTest, NobodyIsGrantedBeforeARequestIsEligible) {
    EXPECT_EQ(grant(0), kNobody);
    request(3, 0x100, 10);
    EXPECT_EQ(grant(9), kNobody);
    EXPECT_EQ(grant(10), 3u);
}

TEST_F(ArbiterTest, TurnsGoRoundFromTheLastPortGranted) {
    for (const ProcessorId port : {0u, 2u, 5u}) request(port, 0x100 + 16 * port);
    EXPECT_EQ(grant(0), 0u);
    request(0, 0x100);
    EXPECT_EQ(grant(0), 2u);
    EXPECT_EQ(arbiter.turn(), 3u);
    EXPECT_EQ(grant(0), 5u);
    EXPECT_EQ(grant(0), 0u);
    EXPECT_EQ(grant(0), kNobody);
}

TEST_F(ArbiterTest, FixedPriorityIsByNumber) {
    InterconnectConfig config = test_bus_config();
    config.arbitration = Arbitration::fixed;
    build(config);
    for (int n = 0; n < 3; ++n) {
        request(1, 0x100);
        request(2, 0x200);
        EXPECT_EQ(grant(0), 1u);
    }
}

TEST_F(ArbiterTest, OldestFirst) {
    InterconnectConfig config = test_bus_config();
    config.arbitration = Arbitration::oldest;
    build(config);
    request(0, 0x100, 7);
    request(1, 0x200, 5);
    request(2, 0x300, 6);
    EXPECT_EQ(grant(10), 1u);
    EXPECT_EQ(grant(10), 2u);
    EXPECT_EQ(grant(10), 0u);
}

TEST_F(ArbiterTest, LockedReadsOfTheLowClassGoLast) {
    InterconnectConfig config = test_bus_config();
    config.locked_class = LockedClass::low;
    build(config);
    request(0, 0x100, 0, TransactionKind::locked_read);
    request(1, 0x200);
    EXPECT_EQ(grant(0), 1u);
    EXPECT_EQ(grant(0), 0u);
}

TEST_F(ArbiterTest, TheOwnerOfALockGoesFirst) {
    lock(4, 0x100);
    request(0, 0x200);
    request(4, 0x100, 0, TransactionKind::locked_store);
    EXPECT_EQ(grant(0), 4u);
    EXPECT_EQ(arbiter.turn(), 0u);  // not in turn
    EXPECT_EQ(grant(0), 0u);
}

// Port 1 is blocked in its turn; port 2 is granted instead.
TEST_F(ArbiterTest, BypassGrantsABlockedRequestFirstAfterTheUnlock) {
    InterconnectConfig config = test_bus_config();
    config.locked_request = LockedRequest::bypass;
    build(config);
    lock(0, 0x100);
    request(1, 0x100);
    request(2, 0x200);
    EXPECT_EQ(grant(0), 2u);
    request(3, 0x300);
    unlock(0, 0x100);
    EXPECT_EQ(grant(0), 1u);
    EXPECT_EQ(grant(0), 3u);
}

TEST_F(ArbiterTest, AKeptTurnKeepsTheOthersWaiting) {
    InterconnectConfig config = test_bus_config();
    config.locked_request = LockedRequest::keep_turn;
    build(config);
    lock(0, 0x100);
    request(1, 0x100);
    request(2, 0x200);
    EXPECT_EQ(grant(5), kNobody);
    EXPECT_TRUE(arbiter.kept_turn(5));
    EXPECT_FALSE(arbiter.kept_turn(6));
    unlock(0, 0x100);
    EXPECT_FALSE(arbiter.kept_turn(5));
    EXPECT_EQ(grant(5), 1u);
    EXPECT_EQ(grant(5), 2u);
}

// The memory controller is busy with port 3's line when port 0 has its turn.
TEST_F(ArbiterTest, ARequestThatMemoryRefusedGoesFirstWhenItIsAccepted) {
    InterconnectConfig config = test_bus_config();
    config.memory.controllers = 2;
    config.memory.interleave_bytes = 32;
    config.memory.read_busy_cycles = 10;
    config.memory.store_busy_cycles = 10;
    build(config);
    candidates.memory.accept(TransactionKind::read, 0x100, 0);
    request(0, 0x100);
    request(1, 0x120);
    request(2, 0x160);
    EXPECT_EQ(grant(0), 1u);
    EXPECT_EQ(grant(10 * config.period()), 0u);
    EXPECT_EQ(grant(10 * config.period()), 2u);
}

}  // namespace
}  // namespace symsim::test
