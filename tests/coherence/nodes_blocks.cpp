// SPDX-License-Identifier: MIT
// Gathers what is said of each block.
#include "tests/coherence/nodes_blocks.h"

#include <set>

#include "sim/interconnect/request.h"

namespace symsim::test {

namespace {
// No step is later: 64 requests wait for a resource for some hundred cycles each at most.
constexpr Time kFarAhead = 100 * kMillisecond;

bool serves(MessageKind kind) {
    return kind == MessageKind::shared_reply || is_exclusive(kind);
}
}  // namespace

NodesBlocks::NodesBlocks(const Nodes& nodes, const NodeMachineConfig& config,
                         std::uint64_t memory_bytes, std::size_t ports, Time from)
    : nodes_(nodes),
      config_(config),
      memory_bytes_(memory_bytes),
      ports_(ports),
      parts_(nodes.parts()),
      requests_(ports) {
    const Clock clock(config.period());
    for (const NodeStep& step : parts_.steps.all()) {
        require(step.at >= from && step.at <= from + kFarAhead &&
                    clock.edge_at_or_after(step.at) == step.at,
                "step {} of kind {} is to be at {} ps", step.order, index(step.what), step.at);
        add_step(step);
    }
    add_nodes();
    add_homes();
    parts_.locks.for_each(
        [&](ProcessorId, Address line) { block(line & ~(config_.block_bytes - 1)); });
}

NodesBlocks::Block& NodesBlocks::block(Address address) {
    Block& found = blocks_[address];
    if (found.at.empty()) found.at.resize(config_.count);
    return found;
}

// `unit`: the bytes of a block, or of a line.
void NodesBlocks::check_memory(Address address, Address unit) const {
    require(address % unit == 0 && address < memory_bytes_ &&
                parts_.placement.home(address) < config_.count,
            "{:#x} is used, and is in no node", address);
}

void NodesBlocks::check_message(const Message& message) const {
    const std::uint32_t nodes = config_.count;
    require(message.from < nodes && message.to < nodes && message.port < ports_,
            "port {} has a message of kind {} from node {} to node {}", message.port,
            index(message.kind), message.from, message.to);
    check_memory(message.block, config_.block_bytes);
    // A request may go to where the block was at home when it was sent.
    const NodeId home = parts_.placement.home(message.block);
    const bool requests = is_request(message.kind);
    const NodeId node = is_to_home(message.kind) ? message.from : message.to;
    require(((is_to_home(message.kind) ? message.to : message.from) == home ||
             (requests && parts_.placement.follows_owner())) &&
                (node == node_of(message.port) || !(requests || serves(message.kind))),
            "a message about {:#x} goes from node {} to node {}", message.block, message.from,
            message.to);
}

// A step of a processor.
void NodesBlocks::check_port(const NodeStep& step) const {
    const Message& message = step.message;
    require(message.port < ports_ && message.kind <= MessageKind::read_exclusive &&
                (step.node == node_of(message.port) || step.what == NodeStep::What::path_taken ||
                 step.what == NodeStep::What::data_ready || step.what == NodeStep::What::replied),
            "a step of port {} is in node {}", message.port, step.node);
}

int NodesBlocks::links_left(const NodeStep& step) const {
    if (step.what == NodeStep::What::delivered) return 0;
    const int nodes = static_cast<int>(config_.count);
    require(step.node < config_.count && step.message.from != step.message.to,
            "a message is on a ring at node {}", step.node);
    const int links = (step.message.to - step.node + nodes) % nodes;
    return links == 0 ? nodes : links;  // once more round the ring
}

void NodesBlocks::add_step(const NodeStep& step) {
    const Message& message = step.message;
    const auto count = [&](NodeId node) {
        check_memory(message.block, config_.block_bytes);
        AtNode& at = block(message.block).at[node];
        ++at.serving;
        at.storing += message.kind == MessageKind::read_exclusive;
    };
    switch (step.what) {
        case NodeStep::What::released:
            check_port(step);
            check_memory(message.block, config_.block_bytes);
            block(message.block).at[step.node].released = true;
            return;
        case NodeStep::What::path_taken:
        case NodeStep::What::arrived:
            check_port(step);
            requests_[message.port].push_back(message);
            return;
        case NodeStep::What::data_ready:
        case NodeStep::What::replied:
            check_port(step);
            requests_[message.port].push_back(message);
            if (!is_io(message.cause)) count(node_of(message.port));
            return;
        case NodeStep::What::finished:
            check_port(step);
            return count(step.node);
        case NodeStep::What::written_back:
            check_port(step);
            return check_memory(message.block, config_.line_bytes);
        case NodeStep::What::looked_up:
            check_message(message);
            return block(message.block).looked_up.push_back(message);
        case NodeStep::What::hop:
        case NodeStep::What::delivered:
            check_message(message);
            block(message.block)
                .messages.push_back({message, links_left(step), step.node, step.at, step.order});
            if (is_request(message.kind) || serves(message.kind))
                requests_[message.port].push_back(message);
    }
}

void NodesBlocks::add_nodes() {
    for (NodeId id = 0; id < parts_.nodes.size(); ++id) {
        const Node& node = *parts_.nodes[id];
        std::uint64_t place = 0;
        for (const Message& message : node.waiting()) {
            check_message(message);
            Block& its = block(message.block);
            if (is_request(message.kind) || serves(message.kind))
                requests_[message.port].push_back(message);
            if (is_to_home(message.kind)) {
                require(message.kind <= MessageKind::read_exclusive && message.from == id,
                        "a message of kind {} waits in node {}", index(message.kind), id);
                its.at[id].requests_wait = true;
                continue;
            }
            require(message.to == id, "a message to node {} waits in node {}", message.to, id);
            its.at[id].questions_wait = true;
            its.messages.push_back({message, -1, id, 0, place++});
        }
        std::set<Address> cached;
        const auto note = [&](Address address) {
            check_memory(address, config_.block_bytes);
            block(address);
        };
        node.network_cache().for_each([&](Address address) {
            require(cached.insert(address).second, "a network cache has {:#x} twice", address);
            note(address);
        });
        node.blocks().for_each([&](Address address, const NodeBlock&) { note(address); });
    }
}

void NodesBlocks::add_homes() {
    std::vector<std::uint32_t> in_buffer(config_.count);
    const auto at_home = [&](const Message& message) -> Block& {
        check_message(message);
        require(is_request(message.kind), "a message of kind {} waits at a home",
                index(message.kind));
        requests_[message.port].push_back(message);
        Block& its = block(message.block);
        its.messages.push_back({message, -1, message.to, 0, 0});
        return its;
    };
    for (const Message& message : parts_.directory.waiting()) {
        at_home(message).waits_at_home = true;
        in_buffer[message.to] += message.from != message.to;
        require(in_buffer[message.to] <= config_.home_buffer, "{} requests wait at home {}",
                in_buffer[message.to], message.to);
    }
    parts_.directory.entries().for_each([&](Address address, const DirectoryEntry& entry) {
        check_memory(address, config_.block_bytes);
        block(address);
        if (!is_transient(entry.state)) return;
        require(entry.request.block == address, "the home of {:#x} serves a request for {:#x}",
                address, entry.request.block);
        at_home(entry.request);
    });
}

}  // namespace symsim::test
