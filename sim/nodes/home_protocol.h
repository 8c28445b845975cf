// SPDX-License-Identifier: MIT
// The protocol of a block's home, the node whose memory has it: for each state of its directory
// entry, and each event, what the home does and the next state. The directory knows which nodes
// share the block, or which one owns it. At the start the home itself owns its blocks.
//
// The home serves one request for a block at a time. Other requests wait at the home, in order of
// arrival; they occupy no ring and no node meanwhile. First the home reads directory and memory
// (looking), then it sends the block, or asks other nodes first:
//
//     shared --get--> looking_shared --looked_up_load--> shared            sends a copy
//                     looking_shared --looked_up_store--> dropping --last_answer--> owned
//     owned --get--> looking_owned --looked_up_load--> sharing --last_answer--> shared
//                    looking_owned --looked_up_store--> giving --last_answer--> owned
//
// What an owner has goes to the requester by way of the home. The home serves the next request as
// soon as it has sent the block: messages between two nodes keep their order, so nothing that it
// sends later overtakes the block.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/failure.h"
#include "sim/base/types.h"

namespace symsim {

enum class HomeState : std::uint8_t {
    shared,  // by any number of nodes, also by none
    owned,
    looking_shared,
    looking_owned,
    sharing,
    giving,
    dropping
};
constexpr std::array<std::string_view, 7> kHomeStateNames = {
    "shared", "owned", "looking_shared", "looking_owned", "sharing", "giving", "dropping"};

enum class HomeEvent : std::uint8_t {
    get,              // a node asks for the block
    looked_up_load,   // directory and memory have been read, for a copy
    looked_up_store,  // for the only copy, while other nodes have copies
    looked_up_alone,  // for the only copy, and no other node has one
    answer,           // of a node; others are still to come
    last_answer,
    put,  // the owner gives the block back
};
constexpr std::array<std::string_view, 7> kHomeEventNames = {
    "get", "looked_up_load", "looked_up_store", "looked_up_alone", "answer", "last_answer", "put"};

enum class HomeAction : std::uint8_t {
    look_up,         // reads directory and memory
    wait,            // the request waits until the block is in a stable state
    send_copy,       // the requester becomes a sharer
    send_ownership,  // the requester becomes the owner
    ask_to_share,    // the owner
    ask_to_give,     // the owner
    ask_to_drop,     // all sharers but the requester
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
    {State::shared, Event::get, Action::look_up, State::looking_shared},
    {State::looking_shared, Event::looked_up_load, Action::send_copy, State::shared},
    {State::looking_shared, Event::looked_up_alone, Action::send_ownership, State::owned},
    {State::looking_shared, Event::looked_up_store, Action::ask_to_drop, State::dropping},
    {State::looking_shared, Event::get, Action::wait, State::looking_shared},

    {State::owned, Event::get, Action::look_up, State::looking_owned},
    {State::owned, Event::put, Action::take_back, State::shared},
    {State::looking_owned, Event::looked_up_load, Action::ask_to_share, State::sharing},
    {State::looking_owned, Event::looked_up_store, Action::ask_to_give, State::giving},
    {State::looking_owned, Event::get, Action::wait, State::looking_owned},
    {State::looking_owned, Event::put, Action::take_back, State::looking_shared},

    {State::sharing, Event::get, Action::wait, State::sharing},
    {State::sharing, Event::put, Action::take_back, State::sharing},
    {State::sharing, Event::last_answer, Action::send_copy, State::shared},

    {State::giving, Event::get, Action::wait, State::giving},
    {State::giving, Event::put, Action::take_back, State::giving},
    {State::giving, Event::last_answer, Action::send_ownership, State::owned},

    {State::dropping, Event::get, Action::wait, State::dropping},
    {State::dropping, Event::answer, Action::none, State::dropping},
    {State::dropping, Event::last_answer, Action::send_ownership, State::owned},
};
}  // namespace home_rows

// The rows by state and event; null: the event cannot occur in the state.
class HomeProtocol {
  public:
    template <class Rows>
    constexpr explicit HomeProtocol(const Rows& rows) {
        for (const HomeRow& row : rows) {
            const HomeRow*& place = rows_[index(row.state)][index(row.event)];
            if (place) impossible("two rows for one event");
            place = &row;
        }
    }
    constexpr const HomeRow* find(HomeState state, HomeEvent event) const {
        return rows_[index(state)][index(event)];
    }

  private:
    std::array<std::array<const HomeRow*, kHomeEventNames.size()>, kHomeStateNames.size()> rows_{};
};

constexpr HomeProtocol kHomeProtocol(home_rows::kRows);

// Whether the home serves a request for the block in this state.
constexpr bool is_transient(HomeState state) {
    return state >= HomeState::looking_shared;
}

}  // namespace symsim
