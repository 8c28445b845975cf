// SPDX-License-Identifier: MIT
// What Directory relies on in the rows of its protocol, and what must be there. The compiler checks
// it.
#pragma once

#include <string_view>

#include "sim/nodes/home_protocol.h"

namespace symsim {

// Whether the home reads directory and memory in this state.
constexpr bool looks(HomeState state) {
    return state == HomeState::looking_shared || state == HomeState::looking_owned;
}
// Whether it awaits answers of nodes.
constexpr bool awaits(HomeState state) {
    return is_transient(state) && !looks(state);
}

// What is wrong with a row by itself, or nothing.
constexpr std::string_view fault_of_row(const HomeRow& row) {
    using State = HomeState;
    using Event = HomeEvent;
    const State from = row.state, to = row.next;
    switch (row.action) {
        case HomeAction::look_up:
            if (row.event != Event::request || is_transient(from) ||
                to != (from == State::owned ? State::looking_owned : State::looking_shared))
                return "the home looks up what it is not asked for, or serves already";
            break;
        case HomeAction::wait:
            if (row.event != Event::request || !is_transient(from) || to != from)
                return "a request waits for nothing";
            break;
        case HomeAction::reply_shared:
            if (!(row.event == Event::looked_up_load && from == State::looking_shared) &&
                !(row.event == Event::last_ack && from == State::sharing))
                return "a copy is sent while another node owns the block";
            if (to != State::shared) return "who gets a copy is no sharer";
            break;
        case HomeAction::reply_exclusive:
            if (!(row.event == Event::looked_up_alone && from == State::looking_shared) &&
                !(row.event == Event::last_ack &&
                  (from == State::giving || from == State::invalidating)))
                return "a block is sent that others have";
            if (to != State::owned) return "who gets the block is no owner";
            break;
        case HomeAction::intervene_shared:
            if (row.event != Event::looked_up_load || from != State::looking_owned ||
                to != State::sharing)
                return "an owner is asked to share, and there is none, or its answer not awaited";
            break;
        case HomeAction::intervene_exclusive:
            if (row.event != Event::looked_up_store || from != State::looking_owned ||
                to != State::giving)
                return "an owner is asked to give, and there is none, or its answer not awaited";
            break;
        case HomeAction::invalidate:
            if (row.event != Event::looked_up_store || from != State::looking_shared ||
                to != State::invalidating)
                return "sharers are asked to drop, and there are none, or answers not awaited";
            break;
        case HomeAction::none:
            if (row.event != Event::ack || to != from) return "an event is ignored";
            break;
        case HomeAction::take_back:
            if (row.event != Event::write_back ||
                to != (from == State::owned           ? State::shared
                       : from == State::looking_owned ? State::looking_shared
                                                      : from))
                return "a block that is given back still has its owner";
            break;
    }
    return {};
}

// Whether the event can occur in the state.
constexpr bool can_occur(HomeState state, HomeEvent event) {
    switch (event) {
        case HomeEvent::request:
            return true;
        case HomeEvent::looked_up_load:
        case HomeEvent::looked_up_store:
            return looks(state);
        case HomeEvent::looked_up_alone:
            return state == HomeState::looking_shared;
        case HomeEvent::ack:
            return state == HomeState::invalidating;
        case HomeEvent::last_ack:
            return awaits(state);
        case HomeEvent::write_back:
            return state == HomeState::owned || state == HomeState::looking_owned ||
                   state == HomeState::sharing || state == HomeState::giving;
    }
    return false;
}

// What is wrong with the rows of a home, or nothing.
template <class Rows>
constexpr std::string_view fault_of_home(const Rows& rows) {
    for (std::size_t state = 0; state < kHomeStateNames.size(); ++state)
        for (std::size_t event = 0; event < kHomeEventNames.size(); ++event) {
            unsigned found = 0;
            for (const HomeRow& row : rows)
                found += index(row.state) == state && index(row.event) == event;
            if (found > 1) return "two rows for one event";
            const bool can =
                can_occur(static_cast<HomeState>(state), static_cast<HomeEvent>(event));
            if (found != (can ? 1 : 0)) return "a row too few, or for what cannot occur";
        }
    for (const HomeRow& row : rows)
        if (const std::string_view fault = fault_of_row(row); !fault.empty()) return fault;
    return {};
}

static_assert(fault_of_home(home_rows::kRows).empty());

}  // namespace symsim
