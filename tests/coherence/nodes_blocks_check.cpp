// SPDX-License-Identifier: MIT
// Compares what is said of each block.
#include <algorithm>

#include "tests/coherence/nodes_blocks.h"

namespace symsim::test {

namespace {
bool is_question(MessageKind kind) {
    return kind == MessageKind::shared_intervention ||
           kind == MessageKind::exclusive_intervention || kind == MessageKind::invalidate;
}
bool is_answer(MessageKind kind) {
    return kind == MessageKind::ack || kind == MessageKind::ack_with_block;
}
// Whether a node that waits in this state can have asked so, or get this.
bool belongs(NodeState asked, MessageKind kind) {
    switch (kind) {
        case MessageKind::read:
        case MessageKind::shared_reply:
            return asked == NodeState::asked_shared;
        case MessageKind::read_exclusive:
            return asked == NodeState::asked_owned;
        case MessageKind::exclusive_ack:
            return asked == NodeState::asked_upgrade;
        default:
            return asked == NodeState::asked_owned || asked == NodeState::asked_upgrade;
    }
}
bool same(const Message& a, const Message& b) {
    return a.kind == b.kind && a.from == b.from && a.to == b.to && a.cause == b.cause &&
           a.port == b.port && a.block == b.block;
}
}  // namespace

void NodesBlocks::check() const {
    for (const auto& [address, block] : blocks_) {
        check_memory(address, config_.block_bytes);
        DirectoryEntry entry;
        entry.owner = parts_.placement.home(address);
        if (const DirectoryEntry* const found = parts_.directory.find(address)) entry = *found;
        check_entry(address, block, entry);
        for (NodeId node = 0; node < config_.count; ++node) check_node(address, block, entry, node);
    }
    for (ProcessorId port = 0; port < ports_; ++port) {
        check_queue(port);
        check_request(port);
    }
}

// Whether the first of two messages about a block, between the same nodes, arrives first.
bool NodesBlocks::before(const OnItsWay& one, const OnItsWay& other) const {
    if (one.links == other.links)
        return one.at != other.at ? one.at < other.at : one.order < other.order;
    if (one.links < 0 || other.links < 0 || one.links > other.links) return one.links < other.links;
    const auto between = static_cast<unsigned>(other.links - one.links);
    return one.at <= parts_.ring.soonest(other.message, other.at_node, other.at, between,
                                         /*at_destination=*/one.links == 0);
}

void NodesBlocks::check_entry(Address address, const Block& block,
                              const DirectoryEntry& entry) const {
    const HomeState state = entry.state;
    const bool asks = state == HomeState::sharing || state == HomeState::giving;
    const bool owned = state == HomeState::owned || state == HomeState::looking_owned;
    const bool looks = state == HomeState::looking_shared || state == HomeState::looking_owned;
    const std::uint64_t all = (std::uint64_t{1} << config_.count) - 1;
    const std::uint64_t may_share = owned || asks                      ? 0
                                    : state == HomeState::invalidating ? 1u << entry.request.from
                                                                       : all;
    require((entry.owner < config_.count && (owned || asks)) || (entry.owner == kNoNode && !owned),
            "{:#x}, in state {} at its home, is owned by node {}", address, index(state),
            entry.owner);
    require((entry.sharers & ~may_share) == 0, "{:#x}, in state {} at its home, has sharers {:#x}",
            address, index(state), entry.sharers);
    require(block.looked_up.size() == (looks ? 1 : 0) &&
                (!looks || same(block.looked_up.front(), entry.request)),
            "{:#x}, in state {} at its home, is looked up {} times", address, index(state),
            block.looked_up.size());
    const bool stores = entry.request.kind != MessageKind::read;
    require(state == HomeState::sharing                                      ? !stores
            : state == HomeState::giving || state == HomeState::invalidating ? stores
                                                                             : true,
            "{:#x}, in state {} at its home, is asked for by a message of kind {}", address,
            index(state), index(entry.request.kind));
    require(!entry.moves || state == HomeState::owned, "{:#x} moves in state {} at its home",
            address, index(state));
    require(!block.waits_at_home || is_transient(state) || entry.moves,
            "requests for {:#x} wait for nothing", address);
    unsigned awaited = 0;
    for (const OnItsWay& sent : block.messages) {
        const MessageKind kind = sent.message.kind;
        if (!is_question(kind) && !is_answer(kind)) continue;
        ++awaited;
        require(is_answer(kind) ||
                    kind == (state == HomeState::sharing  ? MessageKind::shared_intervention
                             : state == HomeState::giving ? MessageKind::exclusive_intervention
                                                          : MessageKind::invalidate),
                "{:#x}, in state {} at its home, is asked for by a message of kind {}", address,
                index(state), index(kind));
    }
    const bool awaits = asks || state == HomeState::invalidating;
    require(entry.awaited == awaited && (awaited > 0) == awaits && (!asks || awaited == 1),
            "the home of {:#x} awaits {} answers in state {}", address, entry.awaited,
            index(state));
}

void NodesBlocks::check_node(Address address, const Block& block, const DirectoryEntry& entry,
                             NodeId node) const {
    NodeBlock found;
    if (parts_.placement.home(address) == node) found.state = NodeState::owned;
    if (const NodeBlock* const known = parts_.nodes[node]->find(address)) found = *known;
    check_copies(address, node, found);
    check_use(address, node, found, block.at[node]);

    // Of each kind there is one at most.
    const OnItsWay *asking = nullptr, *leaving = nullptr, *asked = nullptr;
    const auto set = [&](const OnItsWay*& one, const OnItsWay& sent) {
        require(!one, "two messages of node {} are about {:#x}", node, address);
        one = &sent;
    };
    for (const OnItsWay& sent : block.messages) {
        const MessageKind kind = sent.message.kind;
        if ((is_to_home(kind) ? sent.message.from : sent.message.to) != node) continue;
        if (is_question(kind) || is_answer(kind))
            set(asked, sent);
        else if (kind == MessageKind::write_back || kind == MessageKind::write_back_ack)
            set(leaving, sent);
        else
            set(asking, sent);
    }
    const NodeState state = found.state;
    const auto is = [](const OnItsWay* one, auto... kinds) {
        return one && ((one->message.kind == kinds) || ...);
    };
    require((leaving != nullptr) == (state == NodeState::leaving) &&
                (asking != nullptr) == (is_transient(state) && state != NodeState::leaving) &&
                (!asking || belongs(state, asking->message.kind)),
            "node {} has {:#x} in state {} and has not asked for it so", node, address,
            index(state));

    // What the home knows: the owner, and the others that have copies or will get them.
    const bool ownership = asking && is_exclusive(asking->message.kind);
    const bool put = is(leaving, MessageKind::write_back);
    const bool answered = asked && is_answer(asked->message.kind);
    const bool owns = state == NodeState::owned || ownership;
    const bool its_owner = entry.owner == node;
    const bool decided = entry.state == HomeState::sharing || entry.state == HomeState::giving;
    require(!owns || (its_owner && !answered && (!decided || asked)),
            "node {} owns {:#x}, and its home does not know", node, address);
    require((ownership && parts_.placement.follows_owner()) == (its_owner && entry.moves),
            "{:#x} moves to node {}, or does not", address, node);
    require(!put || its_owner, "node {} gives {:#x} back, which it does not own", node, address);
    require(!its_owner || owns || put || (decided && answered),
            "the home of {:#x} takes node {} for its owner", address, node);
    require(!decided || entry.owner == kNoNode || its_owner || !asked,
            "node {} is asked for {:#x}, which another one owns", node, address);
    const bool reads = (has_copy(state) && !owns) || is(asking, MessageKind::shared_reply);
    const bool sharer = (entry.sharers >> node & 1) != 0;
    const bool cleaned = entry.state == HomeState::sharing && its_owner && answered;
    require(!reads || sharer || is(asked, MessageKind::invalidate) || cleaned,
            "node {} has a copy of {:#x}, and its home does not know", node, address);

    // The order of messages.
    if (is(asked, MessageKind::shared_intervention, MessageKind::exclusive_intervention))
        require(state == NodeState::leaving
                    ? put || before(*asked, *leaving)
                    : state == NodeState::owned || (ownership && before(*asking, *asked)),
                "node {} is asked for {:#x}, which it has in state {}", node, address,
                index(state));
    if (is(asked, MessageKind::invalidate))
        require(state != NodeState::owned && state != NodeState::leaving &&
                    (!ownership || before(*asked, *asking)) &&
                    (!is(asking, MessageKind::shared_reply) || before(*asking, *asked)),
                "node {} is to drop {:#x}, which it has in state {}", node, address, index(state));
    require(!put || !answered || before(*leaving, *asked),
            "node {} answers for {:#x} before it gives it back", node, address);
}

// Lines of processors, and the network cache.
void NodesBlocks::check_copies(Address address, NodeId node, const NodeBlock& found) const {
    const std::size_t first = std::size_t{node} * config_.node_processors;
    const std::size_t in_node =
        std::min<std::size_t>(config_.node_processors, ports_ - std::min(ports_, first));
    const std::uint32_t lines = config_.block_bytes / config_.line_bytes;
    for (std::uint32_t line = 0; line < found.lines.size(); ++line) {
        const LineCopies& copies = found.lines[line];
        require(copies.holders >> in_node == 0 &&
                    (copies.holders == 0 || (line < lines && has_copy(found.state))) &&
                    (copies.owner == LineCopies::kNone ||
                     (copies.owner < in_node && copies.holders == 1u << copies.owner)),
                "line {} of {:#x}, in state {} in node {}, is owned by {} of {:#x}", line, address,
                index(found.state), node, copies.owner, copies.holders);
    }
    const bool remote = parts_.placement.home(address) != node;
    const bool kept = found.state != NodeState::absent && found.state != NodeState::leaving;
    // It gets a place when it comes, if it was at home here when it was asked for.
    const bool may_lack = parts_.placement.follows_owner() && is_transient(found.state);
    const bool has = parts_.nodes[node]->network_cache().has(address);
    require(has == (remote && kept) || (may_lack && !has),
            "node {} has {:#x} in state {}, and its network cache does not", node, address,
            index(found.state));
}

// Requests that are served, or wait, and locks.
void NodesBlocks::check_use(Address address, NodeId node, const NodeBlock& found,
                            const AtNode& at) const {
    const bool owned = found.state == NodeState::owned;
    require(found.serving == at.serving && found.storing == (at.storing > 0) &&
                (!found.storing || (found.serving == 1 && owned)) &&
                (found.serving == 0 || found.state == NodeState::shared || owned),
            "node {} serves {} requests for {:#x} in state {}", node, found.serving, address,
            index(found.state));
    bool locked = false;
    parts_.locks.for_each([&](ProcessorId port, Address line) {
        locked |= node_of(port) == node && line - address < config_.block_bytes;
    });
    require(!locked || owned, "a line of {:#x} is locked in node {}, which does not own it",
            address, node);
    const bool in_use = found.serving > 0 || locked || at.released;
    require((!at.questions_wait || in_use) &&
                (!at.requests_wait || in_use || is_transient(found.state)),
            "in node {} something waits for {:#x}, which is not in use", node, address);
}

// Write-backs come first.
void NodesBlocks::check_queue(ProcessorId port) const {
    const RequestQueue& queue = nodes_.requests(port);
    for (std::size_t n = 0; n < queue.size(); ++n) {
        const TransactionKind kind = queue[n].kind;
        require(kind != TransactionKind::read_exclusive && kind != TransactionKind::upgrade &&
                    kind != TransactionKind::unlock && !queue[n].ends_lock &&
                    (kind != TransactionKind::write_back || n == 0 ||
                     queue[n - 1].kind == TransactionKind::write_back),
                "port {} requests a {} that there is not on nodes", port, name(kind));
    }
}

// A request that is under way is at one place, and is that of the port.
void NodesBlocks::check_request(ProcessorId port) const {
    const std::vector<Message>& places = requests_[port];
    const bool under_way = parts_.under_way.contains(port);
    require(places.size() == (under_way ? 1 : 0) && (!under_way || !nodes_.requests(port).empty()),
            "the request of port {} is at {} places", port, places.size());
    if (!under_way) return;
    const TransactionKind asked = nodes_.requests(port).front().kind;
    const Message expected = nodes_.message(port), &found = places.front();
    const bool decided = is_store(asked) && !is_io(asked);
    require(decided ? expected.cause == TransactionKind::read_exclusive ||
                          expected.cause == TransactionKind::upgrade
                    : expected.cause == asked,
            "a {} of port {} is done by a {}", name(asked), port, name(expected.cause));
    const bool stores = expected.kind == MessageKind::read_exclusive;
    const bool stores_too =
        found.kind != MessageKind::read && found.kind != MessageKind::shared_reply;
    require(found.cause == expected.cause && found.activity == expected.activity &&
                found.block == expected.block && stores == stores_too,
            "the request of port {} is for {:#x}, and asks for {:#x}", port, expected.block,
            found.block);
}

// A cache stores to lines that it owns, and not while it asks for that.
void NodesBlocks::check_line(ProcessorId port, const Line& line) const {
    const NodeBlock* const block =
        parts_.nodes[node_of(port)]->find(line.address & ~(config_.block_bytes - 1));
    require(block != nullptr, "port {} has {:#x}, unknown to its node", port, line.address);
    const LineCopies& copies =
        block->lines[(line.address & (config_.block_bytes - 1)) / config_.line_bytes];
    const unsigned place = port % config_.node_processors;
    const bool asks =
        parts_.under_way.contains(port) && is_store(nodes_.requests(port).front().kind) &&
        (nodes_.requests(port).front().address & ~(config_.line_bytes - 1)) == line.address;
    const bool may_store = block->state == NodeState::owned && copies.owner == place && !asks;
    require((copies.holders >> place & 1) != 0 && (!is_owned(line.state) || may_store),
            "port {} has {:#x} in state {}, unknown to its node", port, line.address,
            index(line.state));
}

}  // namespace symsim::test
