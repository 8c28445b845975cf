// SPDX-License-Identifier: MIT
// Tests UndoLog: what a rollback restores in a cache, and what a sleeping loop has used.
#include "sim/engine/speculation/rollback_points.h"

#include <gtest/gtest.h>

#include "sim/protocol/protocols.h"
#include "tests/support/part_configs.h"
#include "tests/support/small_machine.h"

namespace symsim::test {
namespace {

// One cache of two sets of two ways with lines of 16 bytes: 0x00 and 0x20 share a set.
struct Logged {
    explicit Logged(const Protocol* protocol = &protocols::write_through)
        : machine(1, {}, config(), protocol) {}
    static ControllerConfig config() {
        ControllerConfig config = test_controller_config();
        config.geometry = {64, 2, 16};
        config.store_policy = StorePolicy::buffered;
        return config;
    }
    void install(Address line, Time at, LineState state = LineState::shared) {
        cache.install(line, state, at);
    }
    void use(Address line, Time at) { cache.use(*cache.find(line), at); }
    Time used(Address line) { return cache.find(line)->used; }

    SmallMachine machine;
    Cache& cache = machine.cache(0).cache();
    UndoLog log{machine.cache(0)};
};

TEST(UndoLog, UsesInAWindowAreRolledBack) {
    Logged l;
    l.install(0x00, 1);
    l.install(0x20, 5);
    l.log.save(0, 10);
    l.use(0x00, 11);
    l.use(0x00, 12);
    l.log.restore(0);
    EXPECT_EQ(l.used(0x00), 1);
    l.install(0x40, 13);
    EXPECT_EQ(l.cache.find(0x00), nullptr) << "it was again the one used longest ago";
}

TEST(UndoLog, ARollbackKeepsAUseAtTheStartOfTheWindow) {
    Logged l;
    l.install(0x00, 10);
    l.log.save(0, 10);
    l.use(0x00, 10);
    l.use(0x00, 15);
    l.log.restore(0);
    EXPECT_EQ(l.used(0x00), 10);
}

TEST(UndoLog, UsesInASplitWindowAreRolledBackInParts) {
    Logged l;
    l.install(0x00, 1);
    l.install(0x20, 5);
    l.log.save(0, 10);
    l.use(0x00, 11);
    l.log.save(1, 20);
    l.use(0x00, 21);
    l.use(0x20, 22);
    l.log.restore(1);
    EXPECT_EQ(l.used(0x00), 11);
    EXPECT_EQ(l.used(0x20), 5);
    l.use(0x00, 23);
    l.log.restore(0);
    EXPECT_EQ(l.used(0x00), 1);
}

// A use at the window's start is logged, and so is the next one.
TEST(UndoLog, ALoopThatUsedALineAtTheStartOfTheWindowRepeatsItsUseOnce) {
    Logged l;
    l.install(0x00, 1);
    l.log.save(0, 10);
    l.use(0x00, 10);
    l.use(0x00, 15);
    l.log.repeat_uses(0, 15, 20, 50);
    EXPECT_EQ(l.used(0x00), 65);
}

TEST(UndoLog, ALineUsedOnlyBeforeTheLastIterationIsNotUsedAgain) {
    Logged l;
    l.install(0x00, 1);
    l.install(0x20, 1);
    l.log.save(0, 10);
    l.use(0x00, 12);
    l.use(0x20, 15);
    l.log.repeat_uses(0, 15, 20, 50);
    EXPECT_EQ(l.used(0x00), 12);
    EXPECT_EQ(l.used(0x20), 65);
}

TEST(UndoLog, StoresToOwnLinesAreUndoneTheLastOneFirst) {
    Logged l(&protocols::illinois);
    l.install(0x00, 1, LineState::exclusive);
    l.machine.memory.write(0x00, 4, 1);
    const auto store = [&](Time at, std::uint32_t value) {
        return l.machine.cache(0).store(0x00, 4, {at, false, Activity::user}, value);
    };
    l.log.save(0, 10);
    ASSERT_EQ(store(11, 2), Access::hit);
    l.log.save(1, 20);
    ASSERT_EQ(store(21, 3), Access::hit);
    ASSERT_EQ(store(22, 4), Access::hit);
    l.log.restore(1);
    EXPECT_EQ(l.machine.memory.read(0x00, 4), 2u);
    EXPECT_EQ(l.cache.find(0x00)->state, LineState::modified);
    l.log.restore(0);
    EXPECT_EQ(l.machine.memory.read(0x00, 4), 1u);
    EXPECT_EQ(l.cache.find(0x00)->state, LineState::exclusive);
}

}  // namespace
}  // namespace symsim::test
