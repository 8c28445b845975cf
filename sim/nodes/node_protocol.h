// SPDX-License-Identifier: MIT
// The protocol of a node: for each state in which the node has a block, and each event, what the
// node does and the next state. Between nodes lines are kept coherent in blocks, which consist of
// one or more lines of the caches. Within the node its controller knows which processors have a
// line (node.h).
//
// Stable states: the node has no copy (absent), a copy that other nodes may have too (shared), or
// the only one (owned): then its processors may store.
// Transient states: the node has asked the home for the block and waits.
//
//     absent --load--> asked_shared --shared_reply--> shared
//     absent --store-> asked_owned --exclusive_reply--> owned
//     shared --store-> asked_upgrade --exclusive_reply--> owned
//     owned --evict--> leaving --write_back_ack--> absent
//
// Races, and how the rows resolve them
//   - An upgrade waits at the home while another node's store is served first. The home's
//     invalidate reaches asked_upgrade: the node drops its copy and asks as if it had had none
//     (asked_owned). The home sees that the node is not a sharer any more, and sends the block with
//     its reply.
//   - The owner has evicted the block, and its write-back crosses the home's intervention: in
//     leaving the node answers at once. The home sees the write-back first, because messages
//     between two nodes keep their order.
//   - A shared block is evicted without a message. So an invalidate can reach a node that has no
//     copy.
//   - A processor's request reaches a node that waits for the block already: it waits too.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/nodes/protocol_table.h"

namespace symsim {

enum class NodeState : std::uint8_t {
    absent,
    shared,
    owned,
    asked_shared,
    asked_owned,
    asked_upgrade,
    leaving
};
constexpr std::array<std::string_view, 7> kNodeStateNames = {
    "absent", "shared", "owned", "asked_shared", "asked_owned", "asked_upgrade", "leaving"};

enum class NodeEvent : std::uint8_t {
    load,                    // a processor of the node needs a copy
    store,                   // a processor of the node needs the only copy
    evict,                   // the network cache needs the place for another block
    shared_reply,            // from the home: the block, to read
    exclusive_reply,         // from the home: the only copy
    shared_intervention,     // from the home: another node reads what this one owns
    exclusive_intervention,  // from the home: another node becomes the owner
    invalidate,      // from the home: another node becomes the owner of what this one shares
    write_back_ack,  // from the home: it has taken the block back
};
constexpr std::array<std::string_view, 9> kNodeEventNames = {"load",
                                                             "store",
                                                             "evict",
                                                             "shared_reply",
                                                             "exclusive_reply",
                                                             "shared_intervention",
                                                             "exclusive_intervention",
                                                             "invalidate",
                                                             "write_back_ack"};

enum class NodeAction : std::uint8_t {
    serve,        // the request, in the node
    wait,         // the request waits until the block is in a stable state
    ask_shared,   // asks the home for a copy
    ask_owned,    // asks the home for the only copy
    ask_upgrade,  // asks the home to drop all other copies
    evict,        // the processors' copies are invalidated
    write_back,   // the same, and the home gets the block back
    receive,      // the request that has asked is served
    clean,        // the owner among the processors keeps a shared copy; answers the home
    give_up,      // the processors' copies are invalidated; answers the home
    ack,          // answers the home: there is no copy here
    resume,       // requests that waited continue
};

struct NodeRow {
    NodeState state;
    NodeEvent event;
    NodeAction action;
    NodeState next;
};

namespace node_rows {
using State = NodeState;
using Event = NodeEvent;
using Action = NodeAction;
constexpr NodeRow kRows[] = {
    {State::absent, Event::load, Action::ask_shared, State::asked_shared},
    {State::absent, Event::store, Action::ask_owned, State::asked_owned},
    {State::absent, Event::invalidate, Action::ack, State::absent},

    {State::shared, Event::load, Action::serve, State::shared},
    {State::shared, Event::store, Action::ask_upgrade, State::asked_upgrade},
    {State::shared, Event::evict, Action::evict, State::absent},
    {State::shared, Event::invalidate, Action::give_up, State::absent},

    {State::owned, Event::load, Action::serve, State::owned},
    {State::owned, Event::store, Action::serve, State::owned},
    {State::owned, Event::evict, Action::write_back, State::leaving},
    {State::owned, Event::shared_intervention, Action::clean, State::shared},
    {State::owned, Event::exclusive_intervention, Action::give_up, State::absent},

    {State::asked_shared, Event::load, Action::wait, State::asked_shared},
    {State::asked_shared, Event::store, Action::wait, State::asked_shared},
    {State::asked_shared, Event::invalidate, Action::ack, State::asked_shared},
    {State::asked_shared, Event::shared_reply, Action::receive, State::shared},

    {State::asked_owned, Event::load, Action::wait, State::asked_owned},
    {State::asked_owned, Event::store, Action::wait, State::asked_owned},
    {State::asked_owned, Event::invalidate, Action::ack, State::asked_owned},
    {State::asked_owned, Event::exclusive_reply, Action::receive, State::owned},

    {State::asked_upgrade, Event::load, Action::wait, State::asked_upgrade},
    {State::asked_upgrade, Event::store, Action::wait, State::asked_upgrade},
    {State::asked_upgrade, Event::invalidate, Action::give_up, State::asked_owned},
    {State::asked_upgrade, Event::exclusive_reply, Action::receive, State::owned},

    {State::leaving, Event::load, Action::wait, State::leaving},
    {State::leaving, Event::store, Action::wait, State::leaving},
    {State::leaving, Event::shared_intervention, Action::ack, State::leaving},
    {State::leaving, Event::exclusive_intervention, Action::ack, State::leaving},
    {State::leaving, Event::write_back_ack, Action::resume, State::absent},
};
}  // namespace node_rows

using NodeProtocol = ProtocolTable<NodeRow, kNodeStateNames.size(), kNodeEventNames.size()>;
constexpr NodeProtocol kNodeProtocol(node_rows::kRows);

// Whether a node waits for its home in this state.
constexpr bool is_transient(NodeState state) {
    return state >= NodeState::asked_shared;
}

// Whether the node has a copy of the block in this state.
constexpr bool has_copy(NodeState state) {
    return state == NodeState::shared || state == NodeState::owned ||
           state == NodeState::asked_upgrade;
}

}  // namespace symsim
