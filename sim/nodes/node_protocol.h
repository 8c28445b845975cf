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
//     absent --load--> asked_shared --copy--> shared
//     absent --store-> asked_owned --ownership--> owned
//     shared --store-> asked_upgrade --ownership--> owned
//     owned --evict--> leaving --put_done--> absent
//
// Races, and how the rows resolve them
//   - An upgrade waits at the home while another node's store is served first. The home's drop
//     reaches asked_upgrade: the node drops its copy and asks as if it had had none (asked_owned).
//     The home sees that the node is no sharer any more, and sends the block with the ownership.
//   - The owner has evicted the block, and its put crosses the home's share or give: in leaving the
//     node answers at once. The home sees the put first, because messages between two nodes keep
//     their order.
//   - A shared block is evicted without a message. So a drop can reach a node that has no copy.
//   - A processor's request reaches a node that waits for the block already: it waits too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "sim/base/failure.h"
#include "sim/base/types.h"

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
    load,       // a processor of the node needs a copy
    store,      // a processor of the node needs the only copy
    evict,      // the network cache needs the place for another block
    copy,       // from the home: the block, to read
    ownership,  // from the home: the only copy
    share,      // from the home: another node reads what this one owns
    give,       // from the home: another node becomes the owner
    drop,       // from the home: another node becomes the owner of what this one shares
    put_done,   // from the home: it has taken the block back
};
constexpr std::array<std::string_view, 9> kNodeEventNames = {
    "load", "store", "evict", "copy", "ownership", "share", "give", "drop", "put_done"};

enum class NodeAction : std::uint8_t {
    serve,        // the request, in the node
    wait,         // the request waits until the block is in a stable state
    ask_shared,   // asks the home for a copy
    ask_owned,    // asks the home for the only copy
    ask_upgrade,  // asks the home to drop all other copies
    evict,        // the processors' copies are invalidated
    put,          // the same, and the home gets the block back
    receive,      // the request that has asked is served
    clean,        // the owner among the processors keeps a shared copy; answers the home
    give,         // the processors' copies are invalidated; answers the home
    answer,       // answers the home: there is no copy here
    resume,       // requests that waited go on
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
    {State::absent, Event::drop, Action::answer, State::absent},

    {State::shared, Event::load, Action::serve, State::shared},
    {State::shared, Event::store, Action::ask_upgrade, State::asked_upgrade},
    {State::shared, Event::evict, Action::evict, State::absent},
    {State::shared, Event::drop, Action::give, State::absent},

    {State::owned, Event::load, Action::serve, State::owned},
    {State::owned, Event::store, Action::serve, State::owned},
    {State::owned, Event::evict, Action::put, State::leaving},
    {State::owned, Event::share, Action::clean, State::shared},
    {State::owned, Event::give, Action::give, State::absent},

    {State::asked_shared, Event::load, Action::wait, State::asked_shared},
    {State::asked_shared, Event::store, Action::wait, State::asked_shared},
    {State::asked_shared, Event::drop, Action::answer, State::asked_shared},
    {State::asked_shared, Event::copy, Action::receive, State::shared},

    {State::asked_owned, Event::load, Action::wait, State::asked_owned},
    {State::asked_owned, Event::store, Action::wait, State::asked_owned},
    {State::asked_owned, Event::drop, Action::answer, State::asked_owned},
    {State::asked_owned, Event::ownership, Action::receive, State::owned},

    {State::asked_upgrade, Event::load, Action::wait, State::asked_upgrade},
    {State::asked_upgrade, Event::store, Action::wait, State::asked_upgrade},
    {State::asked_upgrade, Event::drop, Action::give, State::asked_owned},
    {State::asked_upgrade, Event::ownership, Action::receive, State::owned},

    {State::leaving, Event::load, Action::wait, State::leaving},
    {State::leaving, Event::store, Action::wait, State::leaving},
    {State::leaving, Event::share, Action::answer, State::leaving},
    {State::leaving, Event::give, Action::answer, State::leaving},
    {State::leaving, Event::put_done, Action::resume, State::absent},
};
}  // namespace node_rows

// The rows by state and event; null: the event cannot occur in the state.
class NodeProtocol {
  public:
    template <class Rows>
    constexpr explicit NodeProtocol(const Rows& rows) {
        for (const NodeRow& row : rows) {
            const NodeRow*& place = rows_[index(row.state)][index(row.event)];
            if (place) impossible("two rows for one event");
            place = &row;
        }
    }
    constexpr const NodeRow* find(NodeState state, NodeEvent event) const {
        return rows_[index(state)][index(event)];
    }

  private:
    std::array<std::array<const NodeRow*, kNodeEventNames.size()>, kNodeStateNames.size()> rows_{};
};

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
