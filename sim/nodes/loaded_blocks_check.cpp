// SPDX-License-Identifier: MIT
// Compares what a loaded state says of each block.
#include <algorithm>

#include "sim/base/saved_state.h"
#include "sim/nodes/loaded_blocks.h"

namespace symsim {

namespace {
bool is_question(MessageKind kind) {
    return kind == MessageKind::share || kind == MessageKind::give || kind == MessageKind::drop;
}
bool is_answer(MessageKind kind) {
    return kind == MessageKind::answer || kind == MessageKind::answer_with_block;
}
// Whether a node that waits in this state can have asked so, or get this.
bool belongs(NodeState asked, MessageKind kind) {
    switch (kind) {
        case MessageKind::get_shared:
        case MessageKind::copy:
            return asked == NodeState::asked_shared;
        case MessageKind::get_owned:
            return asked == NodeState::asked_owned;
        case MessageKind::ownership:
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

void LoadedBlocks::check() const {
    for (const auto& [address, block] : blocks_) {
        check_memory(address, parts_.config.block_bytes);
        DirectoryEntry entry;
        entry.owner = parts_.placement.home(address);
        if (const DirectoryEntry* const found = parts_.directory.find(address)) entry = *found;
        check_entry(address, block, entry);
        for (NodeId node = 0; node < parts_.config.count; ++node)
            check_node(address, block, entry, node);
    }
}

// Whether the first of two messages about a block, between the same nodes, arrives first.
bool LoadedBlocks::before(const OnItsWay& one, const OnItsWay& other) const {
    if (one.links == other.links)
        return one.at != other.at ? one.at < other.at : one.order < other.order;
    if (one.links < 0 || other.links < 0 || one.links > other.links) return one.links < other.links;
    const auto between = static_cast<unsigned>(other.links - one.links);
    return one.at <= parts_.ring.soonest(other.message, other.at_node, other.at, between,
                                         /*at_destination=*/one.links == 0);
}

void LoadedBlocks::check_entry(Address address, const Block& block,
                               const DirectoryEntry& entry) const {
    const HomeState state = entry.state;
    const bool asks = state == HomeState::sharing || state == HomeState::giving;
    const bool owned = state == HomeState::owned || state == HomeState::looking_owned;
    const bool looks = state == HomeState::looking_shared || state == HomeState::looking_owned;
    const std::uint64_t all = (std::uint64_t{1} << parts_.config.count) - 1;
    const std::uint64_t may_share = owned || asks                  ? 0
                                    : state == HomeState::dropping ? 1u << entry.request.from
                                                                   : all;
    require((entry.owner < parts_.config.count && (owned || asks)) ||
                (entry.owner == kNoNode && !owned),
            "{:#x}, in state {} at its home, is owned by node {}", address, index(state),
            entry.owner);
    require((entry.sharers & ~may_share) == 0, "{:#x}, in state {} at its home, has sharers {:#x}",
            address, index(state), entry.sharers);
    require(block.looked_up.size() == (looks ? 1 : 0) &&
                (!looks || same(block.looked_up.front(), entry.request)),
            "{:#x}, in state {} at its home, is looked up {} times", address, index(state),
            block.looked_up.size());
    const bool stores = entry.request.kind != MessageKind::get_shared;
    require(state == HomeState::sharing                                  ? !stores
            : state == HomeState::giving || state == HomeState::dropping ? stores
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
        require(is_answer(kind) || kind == (state == HomeState::sharing  ? MessageKind::share
                                            : state == HomeState::giving ? MessageKind::give
                                                                         : MessageKind::drop),
                "{:#x}, in state {} at its home, is asked for by a message of kind {}", address,
                index(state), index(kind));
    }
    const bool awaits = asks || state == HomeState::dropping;
    require(entry.awaited == awaited && (awaited > 0) == awaits && (!asks || awaited == 1),
            "the home of {:#x} awaits {} answers in state {}", address, entry.awaited,
            index(state));
}

void LoadedBlocks::check_node(Address address, const Block& block, const DirectoryEntry& entry,
                              NodeId node) const {
    NodeBlock found;
    if (parts_.placement.home(address) == node) found.state = NodeState::owned;
    if (const NodeBlock* const loaded = parts_.nodes[node]->find(address)) found = *loaded;
    require(index(found.state) < kNodeStateNames.size(), "node {} has {:#x} in state {}", node,
            address, index(found.state));
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
        else if (kind == MessageKind::put || kind == MessageKind::put_done)
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
    const bool ownership = asking && is_ownership(asking->message.kind);
    const bool put = is(leaving, MessageKind::put);
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
    const bool reads = (has_copy(state) && !owns) || is(asking, MessageKind::copy);
    const bool sharer = (entry.sharers >> node & 1) != 0;
    const bool cleaned = entry.state == HomeState::sharing && its_owner && answered;
    require(!reads || sharer || is(asked, MessageKind::drop) || cleaned,
            "node {} has a copy of {:#x}, and its home does not know", node, address);

    // The order of messages.
    if (is(asked, MessageKind::share, MessageKind::give))
        require(state == NodeState::leaving
                    ? put || before(*asked, *leaving)
                    : state == NodeState::owned || (ownership && before(*asking, *asked)),
                "node {} is asked for {:#x}, which it has in state {}", node, address,
                index(state));
    if (is(asked, MessageKind::drop))
        require(state != NodeState::owned && state != NodeState::leaving &&
                    (!ownership || before(*asked, *asking)) &&
                    (!is(asking, MessageKind::copy) || before(*asking, *asked)),
                "node {} is to drop {:#x}, which it has in state {}", node, address, index(state));
    require(!put || !answered || before(*leaving, *asked),
            "node {} answers for {:#x} before it gives it back", node, address);
}

// Lines of processors, and the network cache.
void LoadedBlocks::check_copies(Address address, NodeId node, const NodeBlock& found) const {
    const std::size_t first = std::size_t{node} * parts_.config.node_processors;
    const std::size_t in_node = std::min<std::size_t>(parts_.config.node_processors,
                                                      parts_.ports - std::min(parts_.ports, first));
    const std::uint32_t lines = parts_.config.block_bytes / parts_.config.line_bytes;
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
void LoadedBlocks::check_use(Address address, NodeId node, const NodeBlock& found,
                             const AtNode& at) const {
    const bool owned = found.state == NodeState::owned;
    require(found.serving == at.serving && found.storing == (at.storing > 0) &&
                (!found.storing || (found.serving == 1 && owned)) &&
                (found.serving == 0 || found.state == NodeState::shared || owned),
            "node {} serves {} requests for {:#x} in state {}", node, found.serving, address,
            index(found.state));
    bool locked = false;
    parts_.locks.for_each([&](ProcessorId port, Address line) {
        locked |= node_of(port) == node && line - address < parts_.config.block_bytes;
    });
    require(!locked || owned, "a line of {:#x} is locked in node {}, which does not own it",
            address, node);
    const bool in_use = found.serving > 0 || locked || at.released;
    require((!at.questions_wait || in_use) &&
                (!at.requests_wait || in_use || is_transient(found.state)),
            "in node {} something waits for {:#x}, which is not in use", node, address);
}

}  // namespace symsim
