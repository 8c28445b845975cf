// SPDX-License-Identifier: MIT
// A machine of nodes as a whole. Its ports only record the calls that it makes.
#include "sim/nodes/nodes.h"

#include <gtest/gtest.h>

#include <sstream>

#include "sim/base/archive.h"
#include "tests/bus/bus_bench.h"
#include "tests/nodes/nodes_bench.h"

namespace symsim::test {
namespace {

class NodesTest : public InterconnectTest<Nodes, NodesConfig> {
  protected:
    void build(const NodesConfig& config = four_nodes()) {
        InterconnectTest::build(config.nodes * config.processors_per_node, config);
        for (const auto& port : ports) port->needs_as = TransactionKind::read_exclusive;
        links_ = Resources::count(config) - config.nodes * config.rings;
    }
    std::size_t uses_of_links() const {
        std::size_t uses = 0;
        for (const BusUse& use : observer.uses) uses += use.resource >= links_;
        return uses;
    }
    std::string saved() {
        std::ostringstream state;
        SaveArchive archive(state);
        bus->save_state(archive);
        return state.str();
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

TEST_F(NodesTest, AHomeWithRoomForOneServesAll) {
    build();
    post_stores();
    run(100'000);
    const std::size_t with_room = uses_of_links();
    for (ProcessorId port = 2; port < ports.size(); ++port)
        EXPECT_EQ(ports[port]->arrivals.size(), 1u) << port;

    NodesConfig config = four_nodes();
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

TEST_F(NodesTest, GoesOnFromACheckpointWithinTransactions) {
    NodesConfig config = four_nodes();
    config.home_buffer = 1;
    config.memory_read_busy_cycles = 3;
    for (const Time cycle : {5, 17, 30, 44, 58, 71, 90, 120}) {
        build(config);
        post_stores();
        post(0, TransactionKind::read, kNodePage, 0);
        run(cycle);
        const std::string state = saved();
        const std::size_t before = observer.uses.size();
        run(100'000);
        const std::string end = saved();
        const std::vector<BusUse> uses(observer.uses.begin() + static_cast<std::ptrdiff_t>(before),
                                       observer.uses.end());

        build(config);
        LoadArchive archive(state);
        bus->load_state(archive);
        archive.finish();
        bus->check_loaded(cycle * kCycle);
        EXPECT_EQ(saved(), state) << cycle;
        run(100'000);
        EXPECT_EQ(saved(), end) << cycle;
        ASSERT_EQ(observer.uses.size(), uses.size()) << cycle;
        for (std::size_t n = 0; n < uses.size(); ++n) {
            EXPECT_EQ(observer.uses[n].start, uses[n].start);
            EXPECT_EQ(observer.uses[n].resource, uses[n].resource);
        }
    }
}

}  // namespace
}  // namespace symsim::test
