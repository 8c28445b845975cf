// SPDX-License-Identifier: MIT
// What Node relies on in the rows of its protocol, and what must be there. The compiler checks it.
#pragma once

#include <string_view>

#include "sim/nodes/node_protocol.h"

namespace symsim {

// What is wrong with a row by itself, or nothing.
constexpr std::string_view fault_of_row(const NodeRow& row) {
    using State = NodeState;
    using Event = NodeEvent;
    const State from = row.state, to = row.next;
    const bool load = row.event == Event::load, store = row.event == Event::store;
    switch (row.action) {
        case NodeAction::serve:
            if (!(load && has_copy(from)) && !(store && from == State::owned))
                return "a request is served in a node that does not have what it needs";
            if (is_transient(from) || to != from) return "a served request changes the state";
            break;
        case NodeAction::wait:
            if (!load && !store) return "something else than a request waits";
            if (!is_transient(from) || to != from) return "a request waits for nothing";
            break;
        case NodeAction::ask_shared:
            if (!load || from != State::absent || to != State::asked_shared)
                return "a copy is asked for that the node has, or is not awaited";
            break;
        case NodeAction::ask_owned:
            if (!store || from != State::absent || to != State::asked_owned)
                return "a block is asked for that the node has, or is not awaited";
            break;
        case NodeAction::ask_upgrade:
            if (!store || from != State::shared || to != State::asked_upgrade)
                return "an upgrade is asked for without a copy, or not awaited";
            break;
        case NodeAction::evict:
            if (row.event != Event::evict || from != State::shared || to != State::absent)
                return "an eviction without a message loses what the home awaits";
            break;
        case NodeAction::write_back:
            if (row.event != Event::evict || from != State::owned || to != State::leaving)
                return "a block is given back that the node does not own, or not awaited";
            break;
        case NodeAction::receive:
            if (!(row.event == Event::shared_reply && from == State::asked_shared &&
                  to == State::shared) &&
                !(row.event == Event::exclusive_reply && is_transient(from) && to == State::owned))
                return "what is received is not what was asked for";
            break;
        case NodeAction::clean:
            if (row.event != Event::shared_intervention || from != State::owned ||
                to != State::shared)
                return "an owner keeps more than a copy, or has none";
            break;
        case NodeAction::give_up:
            if ((row.event != Event::exclusive_intervention && row.event != Event::invalidate) ||
                !has_copy(from) || to != (is_transient(from) ? State::asked_owned : State::absent))
                return "a copy is given that is not there, or stays";
            break;
        case NodeAction::ack:
            if (row.event != Event::shared_intervention &&
                row.event != Event::exclusive_intervention && row.event != Event::invalidate)
                return "an answer to no question";
            if (has_copy(from) || to != from) return "the node answers that it has no copy";
            break;
        case NodeAction::resume:
            if (row.event != Event::write_back_ack || from != State::leaving || to != State::absent)
                return "what was given back stays";
            break;
    }
    return {};
}

// Whether the event can occur in the state. Upgrades apart, a home asks for a copy only after the
// one that it sent before.
constexpr bool can_occur(NodeState state, NodeEvent event) {
    const bool owner = state == NodeState::owned || state == NodeState::leaving;
    switch (event) {
        case NodeEvent::load:
        case NodeEvent::store:
            return true;
        case NodeEvent::evict:
            return state == NodeState::shared || state == NodeState::owned;
        case NodeEvent::shared_reply:
            return state == NodeState::asked_shared;
        case NodeEvent::exclusive_reply:
            return state == NodeState::asked_owned || state == NodeState::asked_upgrade;
        case NodeEvent::shared_intervention:
        case NodeEvent::exclusive_intervention:
            return owner;
        case NodeEvent::invalidate:
            return !owner;
        case NodeEvent::write_back_ack:
            return state == NodeState::leaving;
    }
    return false;
}

// What is wrong with the rows of a node, or nothing.
template <class Rows>
constexpr std::string_view fault_of_node(const Rows& rows) {
    for (std::size_t state = 0; state < kNodeStateNames.size(); ++state)
        for (std::size_t event = 0; event < kNodeEventNames.size(); ++event) {
            unsigned found = 0;
            for (const NodeRow& row : rows)
                found += index(row.state) == state && index(row.event) == event;
            if (found > 1) return "two rows for one event";
            const bool can =
                can_occur(static_cast<NodeState>(state), static_cast<NodeEvent>(event));
            if (found != (can ? 1 : 0)) return "a row too few, or for what cannot occur";
        }
    for (const NodeRow& row : rows)
        if (const std::string_view fault = fault_of_row(row); !fault.empty()) return fault;
    return {};
}

static_assert(fault_of_node(node_rows::kRows).empty());

}  // namespace symsim
