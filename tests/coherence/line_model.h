// SPDX-License-Identifier: MIT
// The states of all copies of all lines, by what each protocol says of the machine as a whole: who
// may have a line beside whom, and whether memory, the real one, has what its owner has. Kept
// apart from sim/cache/, whose protocols see one cache each.
#pragma once

#include <optional>
#include <stdexcept>
#include <vector>

#include "sim/base/options.h"
#include "sim/cache/cache.h"
#include "sim/interconnect/request.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim::test {

class Incoherent : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

constexpr bool is_owned(LineState state) {
    return state == LineState::exclusive || state == LineState::modified;
}

class LineModel {
  public:
    LineModel(ProtocolKind protocol, Address line_bytes, std::size_t lines, std::uint32_t ports);

    LineState state(ProcessorId port, Address line) const { return copy(port, line); }
    bool owned(ProcessorId port, Address line) const { return is_owned(state(port, line)); }
    // What a store must be when its turn on the bus comes; nothing: it is made in the own line.
    std::optional<TransactionKind> store_as(ProcessorId port, Address line,
                                            TransactionKind posted) const;
    // Whether the line on its way to this port will be dropped for what others have done to it.
    bool spoilt(ProcessorId port) const;

    // A transaction takes effect. Whether an owner supplies the line.
    bool granted(ProcessorId port, TransactionKind kind, Address line, bool changes);
    // The reply to a read_own.
    void arrived(ProcessorId port, Address line);
    // The processor takes its fill; the line is then in this state.
    LineState taken(ProcessorId port);
    void evicted(ProcessorId port, Address line);
    void stored_here(ProcessorId port, Address line);

    // One owner at most and nobody beside it; and who has what memory has not.
    void check(Address line) const;
    void finished() const;

  private:
    struct Fill {
        Address line = Line::kNoAddress;
        LineState state = LineState::invalid;
        bool kept = false;
    };
    struct Port {
        std::vector<LineState> copies;  // of each line
        Fill fill;
        Address owning = Line::kNoAddress;  // on its way to a store
        std::vector<Address> leaving;       // driven out, and not copied back yet
    };

    std::size_t number(Address line) const { return line / line_bytes_; }
    LineState& copy(ProcessorId port, Address line) { return ports_[port].copies[number(line)]; }
    LineState copy(ProcessorId port, Address line) const {
        return ports_[port].copies[number(line)];
    }
    LineState snooped(LineState state, TransactionKind kind, bool changes) const;
    LineState filled(TransactionKind kind, bool shared) const;
    void own_effect(ProcessorId port, TransactionKind kind, Address line, bool shared);
    static bool leaves(const Port& port, Address line);
    static void left(Port& port, Address line);

    ProtocolKind protocol_;
    Address line_bytes_;
    std::vector<Port> ports_;
    std::vector<bool> in_memory_;  // whether memory has each line as it is
};

}  // namespace symsim::test
