// SPDX-License-Identifier: MIT
// What bus and crossbar count for each port (port_counts.h).
#include "sim/interconnect/interconnect.h"

#include "sim/bus/crossbar.h"
#include "tests/bus/bus_bench.h"

namespace symsim::test {
namespace {

constexpr Address kLine = 0x100, kDevice = 0xd000'0000;

// The same tests for both.
template <class Kind>
class Counts : public InterconnectTest<Kind, InterconnectConfig> {};
template <>
class Counts<Bus> : public BusTest {};
template <>
class Counts<Crossbar> : public InterconnectTest<Crossbar, InterconnectConfig> {
  protected:
    void build(unsigned ports) { InterconnectTest::build(ports, test_bus_config()); }
};
using Kinds = ::testing::Types<Bus, Crossbar>;
TYPED_TEST_SUITE(Counts, Kinds);

TYPED_TEST(Counts, EachKindOfTransaction) {
    struct Case {
        TransactionKind kind;
        Address address;
        std::uint64_t misses, stores;
        Time cycles;  // from the posting at 0 to the grant at 2, or to the data
    };
    // A locked read begins the lock that the unlock ends.
    const std::vector<Case> cases = {{TransactionKind::fetch, kLine, 1, 0, 10},
                                     {TransactionKind::read, kLine, 1, 0, 10},
                                     {TransactionKind::read_exclusive, kLine, 1, 1, 10},
                                     {TransactionKind::upgrade, kLine, 0, 1, 2},
                                     {TransactionKind::store, kLine, 0, 1, 2},
                                     {TransactionKind::locked_read, kLine, 1, 0, 10},
                                     {TransactionKind::locked_store, kLine, 0, 1, 2},
                                     {TransactionKind::write_back, kLine, 0, 0, 2},
                                     {TransactionKind::io_read, kDevice, 0, 0, 10},
                                     {TransactionKind::io_write, kDevice, 0, 0, 2}};
    for (const Case& c : cases) {
        SCOPED_TRACE(name(c.kind));
        this->build(2);
        if (is_store(c.kind)) this->ports[1]->needs_as = c.kind;
        this->post(1, c.kind, c.address, 0);
        this->run();
        const PortCounts& counts = this->bus->counts(1);
        EXPECT_EQ(counts.cache_misses, c.misses);
        EXPECT_EQ(counts.far_misses, 0u);
        EXPECT_EQ(counts.stores, c.stores);
        EXPECT_EQ(counts.waited, c.cycles * kCycle);
        EXPECT_EQ(this->bus->counts(0).waited, 0) << "another port";
        if (c.kind != TransactionKind::locked_read) continue;
        this->post(1, TransactionKind::unlock, c.address, 20);
        this->run();
        EXPECT_EQ(counts.waited, (c.cycles + 2) * kCycle);
        EXPECT_EQ(counts.cache_misses + counts.stores, c.misses) << "an unlock is neither";
    }
}

TYPED_TEST(Counts, OnlyWhatHasBeenGrantedAndHasArrived) {
    this->build(1);
    this->post(0, TransactionKind::read, kLine, 0);
    const PortCounts& counts = this->bus->counts(0);
    EXPECT_EQ(counts.cache_misses, 0u);
    this->run(3);
    EXPECT_EQ(counts.cache_misses, 1u);
    EXPECT_EQ(counts.waited, 0);
    this->run();
    EXPECT_EQ(counts.waited, 10 * kCycle);
}

TYPED_TEST(Counts, NoStoreThatIsMadeInTheCache) {
    this->build(1);
    this->ports[0]->needs_the_bus = false;
    this->post(0, TransactionKind::store, kLine, 0);
    this->run();
    EXPECT_EQ(this->ports[0]->made_without.size(), 1u);
    EXPECT_EQ(this->bus->counts(0).stores, 0u);
    EXPECT_EQ(this->bus->counts(0).waited, 0);
}

// A store that became a read-exclusive at its grant brings its line.
TYPED_TEST(Counts, WhatAStoreHasBecome) {
    this->build(1);
    this->ports[0]->needs_as = TransactionKind::read_exclusive;
    this->post(0, TransactionKind::store, kLine, 0);
    this->run();
    EXPECT_EQ(this->bus->counts(0).cache_misses, 1u);
    EXPECT_EQ(this->bus->counts(0).stores, 1u);
}

TYPED_TEST(Counts, TheInterconnectIsOneNode) {
    this->build(2);
    EXPECT_EQ(this->bus->node_of(1), 0u);
    EXPECT_EQ(this->bus->node_of_address(kLine), 0u);
}

TEST_F(BusTest, WaitingForOthersCounts) {
    build(2);
    post(0, TransactionKind::store, kLine, 0);
    post(1, TransactionKind::store, kLine + 16, 0);
    run();
    EXPECT_EQ(bus->counts(0).waited, 2 * kCycle);
    EXPECT_EQ(bus->counts(1).waited, 4 * kCycle) << "the bus is busy for 2 cycles";
}

}  // namespace
}  // namespace symsim::test
