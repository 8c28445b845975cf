// SPDX-License-Identifier: MIT
// The protocol of a block's home, the node whose memory has it: for each state of its directory
// entry, and each event, what the home does and the next state. The directory knows which nodes
// share the block, or which one owns it. At the start the home itself owns its blocks.
//
// The home serves one request for a block at a time. Other requests wait at the home, in order of
// arrival; they occupy no ring and no node meanwhile. First the home reads directory and memory
// (looking), then it sends the block, or asks other nodes first:
//
//     shared --request--> looking_shared --looked_up_load--> shared            sends a copy
//                     looking_shared --looked_up_store--> invalidating --last_ack--> owned
//     owned --request--> looking_owned --looked_up_load--> sharing --last_ack--> shared
//                    looking_owned --looked_up_store--> giving --last_ack--> owned
//
// What an owner has goes to the requester by way of the home. The home serves the next request as
// soon as it has sent the block: messages between two nodes keep their order, so nothing that it
// sends later overtakes the block.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/nodes/protocol_table.h"

namespace symsim {

enum class HomeState : std::uint8_t {
    shared,  // by any number of nodes, also by none
    owned,
    looking_shared,
    looking_owned,
    sharing,
    giving,
    invalidating
};
constexpr std::array<std::string_view, 7> kHomeStateNames = {
    "shared", "owned", "looking_shared", "looking_owned", "sharing", "giving", "invalidating"};

enum class HomeEvent : std::uint8_t {
    request,          // a node asks for the block
    looked_up_load,   // directory and memory have been read, for a copy
    looked_up_store,  // for the only copy, while other nodes have copies
    looked_up_alone,  // for the only copy, and no other node has one
    ack,              // of a node; others are still to come
    last_ack,
    write_back,  // the owner gives the block back
};
constexpr std::array<std::string_view, 7> kHomeEventNames = {
    "request", "looked_up_load", "looked_up_store", "looked_up_alone",
    "ack",     "last_ack",       "write_back"};

enum class HomeAction : std::uint8_t {
    look_up,              // reads directory and memory
    wait,                 // the request waits until the block is in a stable state
    reply_shared,         // the requester becomes a sharer
    reply_exclusive,      // the requester becomes the owner
    intervene_shared,     // at the owner
    intervene_exclusive,  // at the owner
    invalidate,           // the copies of all sharers but the requester
    none,
    take_back,  // the block from its owner: nobody has a copy now
};

struct HomeRow {
    HomeState state;
    HomeEvent event;
    HomeAction action;
    HomeState next;
};

namespace home_rows {
using State = HomeState;
using Event = HomeEvent;
using Action = HomeAction;
constexpr HomeRow kRows[] = {
    {State::shared, Event::request, Action::look_up, State::looking_shared},
    {State::looking_shared, Event::looked_up_load, Action::reply_shared, State::shared},
    {State::looking_shared, Event::looked_up_alone, Action::reply_exclusive, State::owned},
    {State::looking_shared, Event::looked_up_store, Action::invalidate, State::invalidating},
    {State::looking_shared, Event::request, Action::wait, State::looking_shared},

    {State::owned, Event::request, Action::look_up, State::looking_owned},
    {State::owned, Event::write_back, Action::take_back, State::shared},
    {State::looking_owned, Event::looked_up_load, Action::intervene_shared, State::sharing},
    {State::looking_owned, Event::looked_up_store, Action::intervene_exclusive, State::giving},
    {State::looking_owned, Event::request, Action::wait, State::looking_owned},
    {State::looking_owned, Event::write_back, Action::take_back, State::looking_shared},

    {State::sharing, Event::request, Action::wait, State::sharing},
    {State::sharing, Event::write_back, Action::take_back, State::sharing},
    {State::sharing, Event::last_ack, Action::reply_shared, State::shared},

    {State::giving, Event::request, Action::wait, State::giving},
    {State::giving, Event::write_back, Action::take_back, State::giving},
    {State::giving, Event::last_ack, Action::reply_exclusive, State::owned},

    {State::invalidating, Event::request, Action::wait, State::invalidating},
    {State::invalidating, Event::ack, Action::none, State::invalidating},
    {State::invalidating, Event::last_ack, Action::reply_exclusive, State::owned},
};
}  // namespace home_rows

using HomeProtocol = ProtocolTable<HomeRow, kHomeStateNames.size(), kHomeEventNames.size()>;
constexpr HomeProtocol kHomeProtocol(home_rows::kRows);

// Whether the home serves a request for the block in this state.
constexpr bool is_transient(HomeState state) {
    return state >= HomeState::looking_shared;
}

}  // namespace symsim
