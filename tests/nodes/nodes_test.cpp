// SPDX-License-Identifier: MIT
// A machine of nodes as a whole. Its ports only record the calls that it makes.
#include "sim/nodes/nodes.h"

#include <gtest/gtest.h>

#include "tests/bus/bus_bench.h"
#include "tests/nodes/nodes_bench.h"

namespace symsim::test {
namespace {

class NodesTest : public InterconnectTest<Nodes, NodeMachineConfig> {
  protected:
    void build(const NodeMachineConfig& config = four_nodes()) {
        InterconnectTest::build(config.count * config.node_processors, config);
        for (const auto& port : ports) port->needs_as = TransactionKind::read_exclusive;
        links_ = Resources::count(config) - config.count * config.rings;
    }
    std::size_t uses_of_links() const {
        std::size_t uses = 0;
        for (const BusUse& use : observer.uses) uses += use.resource >= links_;
        return uses;
    }
    // All but the first node's processors store to a block of the first node.
    void post_stores() {
        for (ProcessorId port = 2; port < ports.size(); ++port)
            post(port, TransactionKind::store, 0x40, 0, port);
    }

  private:
    unsigned links_ = 0;
};

TEST_F(NodesTest, ARemoteMissGoesOverTheRingAndBack) {
    build();
    post(2, TransactionKind::read, 0x40, 0);
    run();
    EXPECT_EQ(ports[2]->arrivals.size(), 1u);
    EXPECT_EQ(uses_of_links(), 4u) << "once round the ring";
    EXPECT_EQ(bus->counts(2).far_misses, 1u);
    EXPECT_EQ(bus->counts(2).cache_misses, 1u);
    const Time far = ports[2]->arrivals[0];
    post(3, TransactionKind::read, 0x50, 500);
    run();
    EXPECT_LT(ports[3]->arrivals.at(0) - 500, far) << "the network cache has the block";
    EXPECT_EQ(uses_of_links(), 4u);
    EXPECT_EQ(bus->counts(3).far_misses, 0u);
    EXPECT_EQ(bus->node_of(3), 1u);
    EXPECT_EQ(bus->node_of_address(0x40), 0u);
    EXPECT_EQ(bus->next_event(), kNever);
}

TEST_F(NodesTest, MissesAreReportedWhenTheirLinesAreThere) {
    build();
    post(2, TransactionKind::read, 0x40, 0);
    post(0, TransactionKind::read, 0x60, 0);
    run();
    post(3, TransactionKind::fetch, 0x54, 500);
    run();
    ASSERT_EQ(observer.misses.size(), 3u);
    const auto expect = [&](const Miss& miss, ProcessorId processor, Address line, unsigned links,
                            Supplier supplier) {
        EXPECT_EQ(miss.processor, processor);
        EXPECT_EQ(miss.line, line);
        EXPECT_EQ(miss.links, links);
        EXPECT_EQ(miss.supplier, supplier);
        EXPECT_EQ(miss.home, 0);
        EXPECT_EQ(miss.arrived, ports[processor]->arrivals.at(0) * kCycle);
    };
    expect(observer.misses[0], 0, 0x60, 0, Supplier::own_memory);
    expect(observer.misses[1], 2, 0x40, 4, Supplier::home_memory);
    expect(observer.misses[2], 3, 0x50, 0, Supplier::network_cache);
    EXPECT_EQ(observer.misses[2].posted, 500 * kCycle);
    EXPECT_EQ(observer.misses[2].kind, TransactionKind::fetch);
    EXPECT_EQ(observer.links.size(), uses_of_links());
}

TEST_F(NodesTest, TheTableOfResourcesHasEachInItsPlace) {
    for (const NodeInside inside : {NodeInside::bus, NodeInside::crossbar}) {
        NodeMachineConfig config = four_nodes();
        config.inside = inside;
        config.memory.controllers = 2;
        config.rings = 2;
        const Resources resources(config, observer);
        const ResourceTable table = Resources::table(config);
        ASSERT_EQ(table.size(), Resources::count(config));
        const bool bus_inside = inside == NodeInside::bus;
        EXPECT_EQ(table[resources.way(5)].text(),
                  bus_inside ? "node 2: bus" : "node 2: path of processor 5");
        EXPECT_EQ(table[resources.way(5)].word(), bus_inside ? "node2_bus" : "node2_path5");
        EXPECT_EQ(table[resources.bank(3, 1)].text(), "node 3: memory 1");
        EXPECT_EQ(table[resources.bank(3, 1)].word(), "node3_memory1");
        EXPECT_EQ(table[resources.link(3, 1)].text(), "ring 1: node 3 to 0");
        EXPECT_EQ(table[resources.link(3, 1)].word(), "ring1_node3_to_node0");
    }
}

TEST_F(NodesTest, AHomeWithRoomForOneServesAll) {
    build();
    post_stores();
    run(100'000);
    const std::size_t with_room = uses_of_links();
    for (ProcessorId port = 2; port < ports.size(); ++port)
        EXPECT_EQ(ports[port]->arrivals.size(), 1u) << port;

    NodeMachineConfig config = four_nodes();
    config.home_buffer = 1;
    build(config);
    post_stores();
    run(100'000);
    for (ProcessorId port = 2; port < ports.size(); ++port) {
        EXPECT_EQ(ports[port]->arrivals.size(), 1u) << port;
        EXPECT_EQ(bus->counts(port).stores, 1u);
    }
    EXPECT_GT(uses_of_links(), with_room) << "somebody has gone round";
    EXPECT_EQ(bus->next_event(), kNever);
}

}  // namespace
}  // namespace symsim::test
