// SPDX-License-Identifier: MIT
// Address locks alone: which requests they block, and for how long.
#include "sim/interconnect/address_locks.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

namespace symsim::test {
namespace {

class AddressLocksTest : public ::testing::Test {
  protected:
    void request(AddressLocks& locks, ProcessorId port, Address line) {
        requests.set(port, TransactionKind::read, line, 0);
        locks.requested(port, line);
    }
    static std::vector<ProcessorId> blocked(const AddressLocks& locks) {
        std::vector<ProcessorId> ports;
        for (const ProcessorId port : locks.blocked()) ports.push_back(port);
        return ports;
    }

    using Ports = std::vector<ProcessorId>;
    OldestRequests requests;
};

// Whether only the ports that a lock can concern are looked at, or all, has no effect.
class AddressLocksEitherWay : public AddressLocksTest, public ::testing::WithParamInterface<bool> {
  protected:
    AddressLocks locks{false, GetParam()};
};
INSTANTIATE_TEST_SUITE_P(LookAtAll, AddressLocksEitherWay, ::testing::Bool());

TEST_P(AddressLocksEitherWay, ALockBlocksOtherPortsFromItsLineOnly) {
    request(locks, 1, 0x100);
    request(locks, 2, 0x200);
    request(locks, 0, 0x100);
    locks.begin(0, 0x100, true, requests);
    EXPECT_EQ(blocked(locks), Ports{1});
    request(locks, 3, 0x100);  // after the lock
    EXPECT_EQ(blocked(locks), (Ports{1, 3}));
}

TEST_P(AddressLocksEitherWay, ItsEndUnblocksThem) {
    request(locks, 1, 0x100);
    locks.begin(0, 0x100, true, requests);
    locks.begin(2, 0x200, true, requests);
    locks.end(2, 0x200, true, requests);
    EXPECT_EQ(blocked(locks), Ports{1});
    locks.end(0, 0x100, true, requests);
    EXPECT_TRUE(locks.blocked().empty());
    EXPECT_TRUE(locks.none());
}

TEST_P(AddressLocksEitherWay, ANewOldestRequestForAnotherLineIsNotBlocked) {
    request(locks, 1, 0x100);
    locks.begin(0, 0x100, true, requests);
    request(locks, 1, 0x200);
    EXPECT_TRUE(locks.blocked().empty());
    request(locks, 1, 0x100);
    requests.clear(1);
    locks.no_request(1);
    EXPECT_TRUE(locks.blocked().empty());
}

// A lock on the bus, whose unlock waits, and one of the same port in its cache.
TEST_P(AddressLocksEitherWay, TwoLocksOfOneLineEndOneByOne) {
    request(locks, 1, 0x100);
    locks.begin(0, 0x100, true, requests);
    locks.begin(0, 0x100, false, requests);
    locks.end(0, 0x100, true, requests);
    EXPECT_EQ(blocked(locks), Ports{1});
    EXPECT_TRUE(locks.owns_any(0));
    locks.end(0, 0x100, false, requests);
    EXPECT_FALSE(locks.owns_any(0));
    EXPECT_TRUE(locks.blocked().empty());
}

TEST_P(AddressLocksEitherWay, OwnersComeInTheOrderOfTheirLocks) {
    for (const ProcessorId owner : {5u, 2u, 9u}) locks.begin(owner, 16 * owner, true, requests);
    Ports owners;
    locks.for_each_owner([&](ProcessorId owner) {
        owners.push_back(owner);
        return owner == 2;
    });
    EXPECT_EQ(owners, (Ports{5, 2}));
}

// A line that was locked last is remembered with the ports that want it.
TEST_F(AddressLocksTest, RandomLocksBlockTheSamePortsEitherWay) {
    std::mt19937 random(1);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    AddressLocks few(false, false);
    AddressLocks all(false, true);
    std::vector<std::pair<ProcessorId, Address>> held;
    const auto has = [&](ProcessorId port, Address line) {
        return std::count(held.begin(), held.end(), std::pair(port, line)) > 0;
    };
    for (int step = 0; step < 20'000; ++step) {
        const ProcessorId port = below(8);
        const Address line = 16 * below(3);
        const unsigned what = below(8);
        if (what < 4) {
            requests.set(port, TransactionKind::read, line, 0);
            for (AddressLocks* locks : {&few, &all}) locks->requested(port, line);
        } else if (what == 4) {
            requests.clear(port);
            for (AddressLocks* locks : {&few, &all}) locks->no_request(port);
        } else if (what < 7 && held.size() < 3 && !has(port, line)) {
            held.emplace_back(port, line);
            for (AddressLocks* locks : {&few, &all}) locks->begin(port, line, true, requests);
        } else if (!held.empty()) {
            const auto [owner, its] = held.front();
            held.erase(held.begin());
            for (AddressLocks* locks : {&few, &all}) locks->end(owner, its, true, requests);
        }
        ASSERT_EQ(blocked(few), blocked(all)) << "step " << step;
    }
}

// Two owners, one on the bus and one in its cache, must not wait for each other.
TEST_F(AddressLocksTest, ALockThatHoldsAllBlocksPortsThatOwnNone) {
    AddressLocks locks(true, false);
    request(locks, 1, 0x200);
    request(locks, 2, 0x300);
    locks.begin(2, 0x400, false, requests);
    EXPECT_FALSE(locks.all_held());
    EXPECT_TRUE(locks.blocked().empty());
    locks.begin(0, 0x100, true, requests);
    EXPECT_TRUE(locks.all_held());
    EXPECT_EQ(blocked(locks), Ports{1});
    locks.end(2, 0x400, false, requests);
    EXPECT_EQ(blocked(locks), (Ports{1, 2}));
    locks.end(0, 0x100, true, requests);
    EXPECT_FALSE(locks.all_held());
    EXPECT_TRUE(locks.blocked().empty());
}

TEST_F(AddressLocksTest, AnUnlockOfWhatIsNotHeldIsImpossible) {
    AddressLocks locks(false, false);
    locks.begin(0, 0x100, true, requests);
    EXPECT_DEATH(locks.end(0, 0x100, false, requests), "port 0 unlocks 0x100, which it does not");
    EXPECT_DEATH(locks.end(1, 0x100, true, requests), "port 1 unlocks 0x100, which it does not");
}

}  // namespace
}  // namespace symsim::test
