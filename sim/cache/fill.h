// SPDX-License-Identifier: MIT
// The read that a processor waits for, from its request until the access that asked for it takes
// it. A processor has one such read at a time.
//
//     request()    answered()              arrive()    take()
//     |            |                       |           |
//     requested    state is known          arrived     line in the cache
//                  |<-- others may snoop the line: snooped() -->|
#pragma once

#include <cstdint>

#include "sim/base/failure.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"
#include "sim/interconnect/request.h"
#include "sim/protocol/line_state.h"
#include "sim/protocol/protocol.h"

namespace symsim {

class Fill {
  public:
    void request(TransactionKind kind, Address address) {
        if (under_way() && !arrived_)
            impossible("a read of {:#x} while one of {:#x} is under way", address, address_);
        *this = Fill{};
        kind_ = kind;
        address_ = address;
    }
    // The transaction takes effect. `shared`: another cache has the line.
    void answered(const Protocol& protocol, bool shared) {
        state_ = protocol.filled(kind_, shared);
        under_way_ = true;
    }
    // Another cache's transaction for the line leaves it in the state `next`, before it has been
    // installed.
    void snooped(LineState next) { state_ = next; }
    void arrive(Address address, std::uint32_t io_value) {
        if (!under_way_ || arrived_)
            impossible("a reply of {:#x} to a read of {:#x} that {}", address, address_,
                       arrived_ ? "has arrived" : "is not granted");
        arrived_ = true;
        io_value_ = io_value;
    }
    // The access that has waited for the data makes use of them.
    void take() { under_way_ = arrived_ = false; }

    // Answered, and not taken yet.
    bool under_way() const { return under_way_; }
    // It waits to be taken.
    bool arrived() const { return arrived_; }
    // The state in which the line will be installed. Invalid: it will not be. A line that is
    // invalidated on its way still gives the waiting access its datum.
    LineState state() const { return state_; }
    TransactionKind kind() const { return kind_; }
    Address address() const { return address_; }
    std::uint32_t io_value() const { return io_value_; }

  private:
    bool under_way_ = false;
    bool arrived_ = false;
    LineState state_ = LineState::invalid;
    TransactionKind kind_ = TransactionKind::read;
    Address address_ = 0;
    std::uint32_t io_value_ = 0;
};

}  // namespace symsim
