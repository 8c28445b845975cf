// SPDX-License-Identifier: MIT
// A node's controller. It knows in which state the node has each block (node_protocol.h), and which
// of its processors have lines of it. It serves the processors' requests from the node's memory,
// its network cache and the other caches of the node, asks the homes for what the node does not
// have, and answers them.
//
// While a request is served, from the decision until the processor has made its access, its block
// stays: the home's share, give or drop waits, and so does a processor's request to store. Any
// number of loads are served at once. What waits is in order of arrival, except that messages of
// the home do not wait for requests that themselves wait for the home.
//
// A line that a processor has locked stays too: requests of others for it wait here, and messages
// of the home for its block. They occupy no resource meanwhile. Requests for another line of the
// block do not wait: their processors may have locked that line, and the holder may need it next.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"
#include "sim/interconnect/port.h"
#include "sim/nodes/block_table.h"
#include "sim/nodes/memory_banks.h"
#include "sim/nodes/message.h"
#include "sim/nodes/network_cache.h"
#include "sim/nodes/node_protocol.h"
#include "sim/nodes/nodes_config.h"
#include "sim/nodes/placement.h"
#include "sim/nodes/ring.h"

namespace symsim {

// What a node's controller asks of its processors' ports.
class NodePorts {
  public:
    virtual ~NodePorts() = default;
    // The port snoops another one's transaction for the line, which takes effect now.
    virtual Snooped snoop(ProcessorId port, TransactionKind kind, Address line, Time now) = 0;
    // Whether the port's transaction brings it the line, or only the right to store to it.
    virtual bool needs_line(ProcessorId port, Time now) = 0;
    // The line that the port's transaction is about.
    virtual Address line(ProcessorId port) const = 0;
    // Whether one of these ports has locked a line that begins in these bytes.
    virtual bool locked_by(const ProcessorSet& ports, Address first, std::uint32_t bytes) const = 0;
    // What the port's transaction waits for is ready at `ready`: the reply can go to the port. Its
    // line stays as it is until the node's finish() for it. `hops`: links of rings that led to it.
    // `supplier`: what had the line, if the reply brings it.
    virtual void reply(ProcessorId port, bool with_line, unsigned hops, Supplier supplier,
                       Time ready) = 0;
};

// Most lines of a block, and most processors of a node.
constexpr unsigned kMaxLinesPerBlock = 4;
constexpr unsigned kMaxProcessorsPerNode = 8;

// Which processors of a node have a line. A line may have been evicted without a message, if it
// was not modified.
struct LineCopies {
    std::uint8_t holders = 0;  // one bit for each processor of the node
    std::uint8_t owner = kNone;

    static constexpr std::uint8_t kNone = 0xff;
};

struct NodeBlock {
    NodeState state = NodeState::absent;
    std::uint8_t serving = 0;  // requests
    bool storing = false;      // one of them needs the only copy: there is no other
    std::array<LineCopies, kMaxLinesPerBlock> lines;
};

class Node {
  public:
    Node(NodeId id, const NodeMachineConfig& config, std::uint64_t memory_bytes,
         PagePlacement& placement, MemoryBanks& banks, Ring& ring, NodePorts& ports,
         const NodeProtocol& protocol = kNodeProtocol);

    // A processor's request has arrived: read, or read_exclusive.
    void request(Message request, Time now);
    // A message from a home has been delivered.
    void receive(const Message& message, Time now);
    // A processor of the node has written a modified line back.
    void written_back(const Message& message, Time now);
    // The processor has made the access that its request was for.
    void finish(Address block, bool stored, Time now);
    // What waits for the block may continue: a processor has released a lock.
    void resume(Address block, Time now);
    // Whether the port is the only one of all nodes that has the line.
    bool owns(ProcessorId port, Address line);

    const NodeBlock* find(Address block) const { return blocks_.find(block); }
    const NetworkCache& network_cache() const { return cache_; }
    const BlockTable<NodeBlock>& blocks() const { return blocks_; }
    // Requests of processors, and messages of homes, that wait here.
    const std::vector<Message>& waiting() const { return waiting_; }

  private:
    NodeBlock& block(Address address);
    LineCopies& copies(NodeBlock& block, Address line) {
        return block.lines[(line & (block_bytes_ - 1)) / line_bytes_];
    }
    std::uint8_t place(ProcessorId port) const {
        return static_cast<std::uint8_t>(port - first_port_);
    }
    Address block_of(Address address) const { return address & ~(block_bytes_ - 1); }
    bool locked_by(const ProcessorSet& ports, Address block) const {
        return ports_.locked_by(ports, block, block_bytes_);
    }
    // Whether the request's processor has locked a line of the block: others may wait for it.
    bool holds_lock(const Message& request) const {
        return locked_by(ProcessorSet::only(request.port), request.block);
    }
    bool is_home(Address block) const { return placement_.home(block) == id_; }

    const NodeRow& row(const NodeBlock& block, NodeEvent event, const Message& message) const;
    bool try_request(const Message& request, Time now);
    bool try_message(const Message& message, Time now);
    void ask(MessageKind kind, const Message& request, Time now);
    void serve(NodeBlock& block, const Message& request, bool block_arrived, Time now);
    bool take_line(LineCopies& copies, const Message& request, TransactionKind kind, Time now);
    void make_room(Address address, const Message& request, Time now);
    void evict(Address address, const Message& cause, Time now);
    bool clean(NodeBlock& block, Address address, Time now);
    bool drop_copies(NodeBlock& block, Address address, Time now);
    void answer(const Message& message, bool with_block, bool modified, Time now);
    Supplier supplier(const Message& request, bool block_arrived, bool supplied) const;

    const NodeProtocol& protocol_;
    PagePlacement& placement_;
    MemoryBanks& banks_;
    Ring& ring_;
    NodePorts& ports_;
    NodeId id_;
    ProcessorId first_port_;
    ProcessorSet ports_here_;
    Address line_bytes_, block_bytes_;
    Time owner_supply_, lookup_;
    BlockTable<NodeBlock> blocks_;
    NetworkCache cache_;
    std::vector<Message> waiting_;  // requests of processors and messages of homes
};

}  // namespace symsim
