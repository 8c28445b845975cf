// SPDX-License-Identifier: MIT
// Checks of a state that was loaded from a checkpoint: what directory, nodes, network caches and
// messages say of each block must fit together. Otherwise a message could come for which the tables
// of the protocols have no row, or something would wait for ever.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/address_locks.h"
#include "sim/nodes/home.h"
#include "sim/nodes/message.h"
#include "sim/nodes/node.h"
#include "sim/nodes/nodes_config.h"
#include "sim/nodes/placement.h"
#include "sim/nodes/ring.h"
#include "sim/nodes/step_queue.h"

namespace symsim {

class LoadedBlocks {
  public:
    // The parts of the machine that were loaded.
    struct Parts {
        const NodeMachineConfig& config;
        std::uint64_t memory_bytes;
        std::size_t ports;
        const PagePlacement& placement;
        const Ring& ring;
        const StepQueue& steps;
        const Directory& directory;
        const std::vector<std::unique_ptr<Node>>& nodes;
        const AddressLocks& locks;
    };
    // Throws StateError unless all steps and messages are such as there can be between `from` and
    // `latest`.
    LoadedBlocks(const Parts& parts, Time from, Time latest);
    // Throws StateError unless all that is known of each block fits together.
    void check() const;
    // Where the port's request is: in a step, in a queue of its node or a home, or served by a
    // home.
    const std::vector<Message>& requests(ProcessorId port) const { return requests_[port]; }

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
        return static_cast<NodeId>(port / parts_.config.node_processors);
    }
    void add_step(const NodeStep& step);
    void add_nodes(Time latest);
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

    Parts parts_;
    std::map<Address, Block> blocks_;
    std::vector<std::vector<Message>> requests_;  // of each port
};

}  // namespace symsim
