// SPDX-License-Identifier: MIT
// What directory, nodes, network caches, messages and requests say of each block, at one time. All
// of it must fit together. Otherwise a message could come for which the tables of the protocols
// have no row, or something would wait for ever.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <vector>

#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cache/cache.h"
#include "sim/nodes/nodes.h"
#include "tests/coherence/line_model.h"

namespace symsim::test {

template <class... Values>
void require(bool holds, fmt::format_string<const Values&...> text, const Values&... values) {
    if (!holds) throw Incoherent(fmt::format(text, values...));
}

class NodesBlocks {
  public:
    // Between two events, the next of which is at `from` or later. Throws Incoherent, here and in
    // check(), unless there can be all steps and messages.
    NodesBlocks(const Nodes& nodes, const NodeMachineConfig& config, std::uint64_t memory_bytes,
                std::size_t ports, Time from);
    // All that is known of each block fits together, and so do the requests of ports.
    void check() const;
    // The port's cache may have the line: its node knows of it.
    void check_line(ProcessorId port, const Line& line) const;

  private:
    // A message between home and node. `links`: still to go, from the interface of `at_node`; -1 of
    // one that waits in its node.
    struct OnItsWay {
        Message message;
        int links;
        NodeId at_node;
        Time at;
        std::uint64_t order;
    };
    // What steps and queues say of a block in one node.
    struct AtNode {
        unsigned serving = 0, storing = 0;
        bool released = false;        // a step will resume what waits
        bool requests_wait = false;   // of processors
        bool questions_wait = false;  // and other messages of the home
    };
    struct Block {
        std::vector<OnItsWay> messages;  // also requests that wait at the home, or are served
        std::vector<AtNode> at;
        std::vector<Message> looked_up;
        bool waits_at_home = false;
    };

    // loaded_blocks.cpp: gathers what there is
    Block& block(Address address);
    NodeId node_of(ProcessorId port) const {
        return static_cast<NodeId>(port / config_.node_processors);
    }
    void add_step(const NodeStep& step);
    void add_nodes();
    void add_homes();
    void check_port(const NodeStep& step) const;
    void check_memory(Address block, Address unit) const;
    void check_message(const Message& message) const;
    int links_left(const NodeStep& step) const;

    // loaded_blocks_check.cpp: compares
    bool before(const OnItsWay& one, const OnItsWay& other) const;
    void check_entry(Address address, const Block& block, const DirectoryEntry& entry) const;
    void check_node(Address address, const Block& block, const DirectoryEntry& entry,
                    NodeId node) const;
    void check_copies(Address address, NodeId node, const NodeBlock& found) const;
    void check_use(Address address, NodeId node, const NodeBlock& found, const AtNode& at) const;

    void check_request(ProcessorId port) const;
    void check_queue(ProcessorId port) const;

    const Nodes& nodes_;
    const NodeMachineConfig& config_;
    const std::uint64_t memory_bytes_;
    const std::size_t ports_;
    const Nodes::Parts parts_;
    std::map<Address, Block> blocks_;
    // Where the request of each port is: in a step, in a queue of its node or a home, or served by
    // a home.
    std::vector<std::vector<Message>> requests_;
};

}  // namespace symsim::test
