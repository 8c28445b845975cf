// SPDX-License-Identifier: MIT
#include "sim/nodes/node.h"

#include <optional>
#include <utility>

#include "sim/base/failure.h"
#include "sim/interconnect/request.h"

namespace symsim {

namespace {
NodeEvent event_of(const Message& message) {
    switch (message.kind) {
        case MessageKind::read:
            return NodeEvent::load;
        case MessageKind::read_exclusive:
            return NodeEvent::store;
        case MessageKind::shared_reply:
            return NodeEvent::shared_reply;
        case MessageKind::exclusive_ack:
        case MessageKind::exclusive_reply:
            return NodeEvent::exclusive_reply;
        case MessageKind::shared_intervention:
            return NodeEvent::shared_intervention;
        case MessageKind::exclusive_intervention:
            return NodeEvent::exclusive_intervention;
        case MessageKind::invalidate:
            return NodeEvent::invalidate;
        case MessageKind::write_back_ack:
            return NodeEvent::write_back_ack;
        default:
            impossible("node {} gets a message {}", message.to, name(message.kind));
    }
}
}  // namespace

Node::Node(NodeId id, const NodeMachineConfig& config, std::uint64_t memory_bytes,
           PagePlacement& placement, MemoryBanks& banks, Ring& ring, NodePorts& ports,
           const NodeProtocol& protocol)
    : protocol_(protocol),
      placement_(placement),
      banks_(banks),
      ring_(ring),
      ports_(ports),
      id_(id),
      first_port_(id * config.node_processors),
      line_bytes_(config.line_bytes),
      block_bytes_(config.block_bytes),
      owner_supply_(Clock(config.period()).cycles(config.owner_supply_cycles)),
      lookup_(Clock(config.period()).cycles(config.lookup_cycles)),
      blocks_(memory_bytes, config.block_bytes),
      cache_(config.network_cache_bytes, config.network_cache_ways, config.block_bytes) {
    for (ProcessorId n = 0; n < config.node_processors && first_port_ + n < kMaxProcessors; ++n)
        ports_here_.add(first_port_ + n);
}

// At the start a node owns the blocks whose home it is.
NodeBlock& Node::block(Address address) {
    NodeBlock initial;
    if (is_home(address)) initial.state = NodeState::owned;
    return blocks_.of(address, initial);
}

const NodeRow& Node::row(const NodeBlock& block, NodeEvent event, const Message& message) const {
    const NodeRow* const found = protocol_.find(block.state, event);
    if (!found)
        impossible("node {}: {} of {:#x} in state {}", id_, kNodeEventNames[index(event)],
                   message.block, kNodeStateNames[index(block.state)]);
    return *found;
}

// A processor that has locked a line of the block does not wait behind others, which wait for it.
void Node::request(Message request, Time now) {
    request.from = id_;
    request.to = placement_.home(request.block);
    bool waits = false;
    if (!holds_lock(request))
        for (const Message& other : waiting_) waits |= other.block == request.block;
    if (waits || !try_request(request, now)) waiting_.push_back(request);
}

void Node::receive(const Message& message, Time now) {
    if (!try_message(message, now)) waiting_.push_back(message);
}

bool Node::try_request(const Message& request, Time now) {
    NodeBlock& found = block(request.block);
    const bool store = request.kind == MessageKind::read_exclusive;
    if (found.storing || (store && found.serving > 0) ||
        ports_.locked_by(ports_here_.without(request.port), ports_.line(request.port), line_bytes_))
        return false;
    const NodeRow& next = row(found, event_of(request), request);
    if (next.action == NodeAction::wait) return false;
    const bool absent = found.state == NodeState::absent;
    found.state = next.next;
    switch (next.action) {
        case NodeAction::serve:
            serve(found, request, false, now);
            break;
        case NodeAction::ask_shared:
            ask(MessageKind::read, request, now);
            break;
        case NodeAction::ask_owned:
            ask(MessageKind::read_exclusive, request, now);
            break;
        case NodeAction::ask_upgrade:
            ask(MessageKind::upgrade, request, now);
            break;
        default:
            impossible("node {}: action {} for a request", id_, index(next.action));
    }
    if (absent && !is_home(request.block)) make_room(request.block, request, now);
    return true;
}

// False: the message must wait until the block is not in use.
bool Node::try_message(const Message& message, Time now) {
    NodeBlock& found = block(message.block);
    if (found.serving > 0 || locked_by(ports_here_, message.block)) return false;
    const NodeRow& next = row(found, event_of(message), message);
    const bool owned = found.state == NodeState::owned;
    bool modified = false;  // the owner's block may be newer than that of the home's memory
    found.state = next.next;
    switch (next.action) {
        case NodeAction::receive:
            if (carries_block(message.kind) && !is_home(message.block))
                banks_.write(id_, message, now);
            if (next.next == NodeState::owned && placement_.owned(message.block, id_))
                cache_.remove(message.block);
            // A block that has moved away since the node asked for it has no room yet.
            if (!is_home(message.block) && !cache_.has(message.block))
                make_room(message.block, message, now);
            serve(found, message, carries_block(message.kind), now);
            break;
        case NodeAction::clean:
            modified = clean(found, message.block, now);
            answer(message, modified, modified, now);
            break;
        case NodeAction::give_up:
            modified = drop_copies(found, message.block, now) || !is_home(message.block);
            answer(message, owned && !is_home(message.block), owned && modified, now);
            break;
        case NodeAction::ack:
            answer(message, false, false, now);
            break;
        case NodeAction::resume:
            break;
        default:
            impossible("node {}: action {} for a message", id_, index(next.action));
    }
    if (next.next == NodeState::absent && !is_home(message.block)) cache_.remove(message.block);
    resume(message.block, now);
    return true;
}

// What waits for the block continues, in order of arrival. A request that must still wait keeps
// others back; but not the messages of the home, nor the requests of a processor that has locked a
// line, because it may be waiting for them.
void Node::resume(Address block, Time now) {
    bool kept_back = false;
    for (std::size_t n = 0; n < waiting_.size();) {
        const Message message = waiting_[n];
        const bool requests = is_to_home(message.kind);
        if (message.block != block || (requests && kept_back && !holds_lock(message))) {
            ++n;
            continue;
        }
        waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(n));
        if (requests ? try_request(message, now) : try_message(message, now)) {
            n = 0;
            kept_back = false;
            continue;
        }
        waiting_.insert(waiting_.begin() + static_cast<std::ptrdiff_t>(n), message);
        kept_back = true;
        ++n;
    }
}

// Asks the home, after the controller has looked for the block in vain.
void Node::ask(MessageKind kind, const Message& request, Time now) {
    Message question = request;
    question.kind = kind;
    ring_.send(question, now + lookup_);
}

void Node::serve(NodeBlock& block, const Message& request, bool block_arrived, Time now) {
    const Address line = ports_.line(request.port);
    const bool needs_line = ports_.needs_line(request.port, now);
    ++block.serving;
    block.storing =
        event_of(request) == NodeEvent::store || event_of(request) == NodeEvent::exclusive_reply;
    const bool lost = needs_line && request.cause == TransactionKind::upgrade;
    const bool supplied = take_line(copies(block, line), request,
                                    lost ? TransactionKind::read_exclusive : request.cause, now);
    if (!is_home(request.block)) cache_.use(request.block, now);
    Time ready = now;
    if (needs_line && !block_arrived)
        ready = banks_.read(id_, request, now) + (supplied ? owner_supply_ : 0);
    ports_.reply(request.port, needs_line, request.hops, supplier(request, block_arrived, supplied),
                 ready);
}

// `request`: as it arrived, from a processor or from the home. `supplied`: another processor of the
// node had modified the line.
Supplier Node::supplier(const Message& request, bool block_arrived, bool supplied) const {
    if (supplied) return Supplier::own_node_cache;
    if (!block_arrived)
        return is_home(request.block) ? Supplier::own_memory : Supplier::network_cache;
    if (request.from_owner) return Supplier::other_node;
    return request.from == id_ ? Supplier::own_memory : Supplier::home_memory;
}

// The line goes to the request's processor. Others of the node snoop that. Returns whether one of
// them has bytes that memory does not have.
bool Node::take_line(LineCopies& copies, const Message& request, TransactionKind kind, Time now) {
    const std::uint8_t mine = place(request.port);
    const Address line = ports_.line(request.port);
    bool supplied = false;
    if (is_read(kind)) {
        if (copies.owner != LineCopies::kNone && copies.owner != mine)
            supplied = ports_.snoop(first_port_ + copies.owner, kind, line, now).supplies;
        copies.holders |= static_cast<std::uint8_t>(1 << mine);
        copies.owner = copies.holders == 1 << mine ? mine : LineCopies::kNone;
        return supplied;
    }
    for (std::uint8_t other = 0; other < kMaxProcessorsPerNode; ++other)
        if (other != mine && copies.holders >> other & 1)
            supplied |= ports_.snoop(first_port_ + other, kind, line, now).supplies;
    copies.holders = static_cast<std::uint8_t>(1 << mine);
    copies.owner = mine;
    return supplied;
}

bool Node::owns(ProcessorId port, Address line) {
    NodeBlock& found = block(block_of(line));
    return found.state == NodeState::owned && copies(found, line).owner == place(port);
}

// The network cache gets the block, which is on its way.
void Node::make_room(Address address, const Message& request, Time now) {
    for (;;) {
        const std::optional<Address> victim = cache_.victim(address, [&](Address candidate) {
            const NodeBlock& found = block(candidate);
            return !is_transient(found.state) && found.serving == 0 &&
                   !locked_by(ports_here_, candidate);
        });
        if (!victim) break;
        evict(*victim, request, now);
    }
    cache_.add(address, now);
}

void Node::evict(Address address, const Message& cause, Time now) {
    NodeBlock& found = block(address);
    Message write_back = cause;
    write_back.kind = MessageKind::write_back;
    write_back.from = id_;
    write_back.cause = TransactionKind::write_back;
    write_back.block = address;
    write_back.to = placement_.home(address);
    const NodeRow& next = row(found, NodeEvent::evict, write_back);
    found.state = next.next;
    drop_copies(found, address, now);
    cache_.remove(address);
    if (next.action == NodeAction::write_back) ring_.send(write_back, now);
}

void Node::written_back(const Message& message, Time now) {
    banks_.write(id_, message, now);
    LineCopies& line = copies(block(block_of(message.block)), message.block);
    if (line.owner == place(message.port)) line.owner = LineCopies::kNone;
}

void Node::finish(Address address, bool stored, Time now) {
    NodeBlock& found = block(address);
    --found.serving;
    if (stored) found.storing = false;
    resume(address, now);
}

// The owners keep their lines to read. Returns whether one had bytes that memory did not have.
bool Node::clean(NodeBlock& block, Address address, Time now) {
    bool supplied = !is_home(address);  // the network cache may have them too
    for (Address line = address; line < address + block_bytes_; line += line_bytes_) {
        LineCopies& found = copies(block, line);
        if (found.owner == LineCopies::kNone) continue;
        supplied |=
            ports_.snoop(first_port_ + found.owner, TransactionKind::read, line, now).supplies;
        found.owner = LineCopies::kNone;
    }
    return supplied;
}

// Returns whether a processor had bytes that memory did not have.
bool Node::drop_copies(NodeBlock& block, Address address, Time now) {
    bool supplied = false;
    for (Address line = address; line < address + block_bytes_; line += line_bytes_) {
        LineCopies& found = copies(block, line);
        for (std::uint8_t holder = 0; holder < kMaxProcessorsPerNode; ++holder)
            if (found.holders >> holder & 1)
                supplied |=
                    ports_.snoop(first_port_ + holder, TransactionKind::read_exclusive, line, now)
                        .supplies;
        found = LineCopies{};
    }
    return supplied;
}

void Node::answer(const Message& message, bool with_block, bool modified, Time now) {
    Message reply = message;
    reply.from_owner = modified;
    reply.kind = with_block ? MessageKind::ack_with_block : MessageKind::ack;
    std::swap(reply.from, reply.to);
    ring_.send(reply, now);
}

}  // namespace symsim
