// SPDX-License-Identifier: MIT
// The rows of a protocol of the nodes (node_protocol.h, home_protocol.h) by state and event.
#pragma once

#include <array>
#include <cstddef>

#include "sim/base/failure.h"
#include "sim/base/types.h"

namespace symsim {

template <class Row, std::size_t kStates, std::size_t kEvents>
class ProtocolTable {
  public:
    template <class Rows>
    constexpr explicit ProtocolTable(const Rows& rows) {
        for (const Row& row : rows) {
            const Row*& place = rows_[index(row.state)][index(row.event)];
            if (place) impossible("two rows for one event");
            place = &row;
        }
    }

    // Null: the event cannot occur in the state.
    template <class State, class Event>
    constexpr const Row* find(State state, Event event) const {
        return rows_[index(state)][index(event)];
    }

  private:
    std::array<std::array<const Row*, kEvents>, kStates> rows_{};
};

}  // namespace symsim
