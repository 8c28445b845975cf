// SPDX-License-Identifier: MIT
// A second, independent model of the coherence protocols: the states of all copies of all lines in
// the whole machine. It checks which ports may have a line at the same time, and whether the real
// machine's memory would have the owner's bytes. It shares no code with the protocols of sim/cache,
// which see one cache each.
#pragma once

#include <optional>
#include <stdexcept>
#include <vector>

#include "sim/base/transaction_kind.h"
#include "sim/cache/cache.h"
#include "sim/interconnect/request.h"

namespace symsim::test {

class Incoherent : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Whether the cache may store to the line without a transaction.
constexpr bool is_owned(LineState state) {
    return state == LineState::exclusive || state == LineState::modified;
}

// The protocols, as the model knows them.
enum class Rules {
    write_through,
    write_through_allocate,
    write_through_on_change,
    write_back,
    write_update,
    no_cache,
    illinois,
    moesi
};
constexpr bool lines_have_owners(Rules rules) {
    return rules == Rules::write_back || rules == Rules::illinois || rules == Rules::moesi;
}

class LineModel {
  public:
    LineModel(Rules rules, Address line_bytes, std::size_t lines, std::uint32_t ports);

    LineState state(ProcessorId port, Address line) const { return copy(port, line); }
    bool owned(ProcessorId port, Address line) const { return is_owned(state(port, line)); }
    // The transaction that a store needs when its turn on the bus comes; none: it is made in the
    // own line.
    std::optional<TransactionKind> store_as(ProcessorId port, Address line,
                                            TransactionKind posted) const;
    // Whether the line on its way to this port has been invalidated and will not be installed.
    bool spoilt(ProcessorId port) const;

    // A transaction of `size` bytes takes effect. Returns whether an owner supplies the line.
    bool granted(ProcessorId port, TransactionKind kind, Address line, unsigned size, bool changes);
    // The reply to a read-exclusive has come.
    void arrived(ProcessorId port, Address line);
    // The processor takes its fill. Returns the state of the line then.
    LineState taken(ProcessorId port);
    void evicted(ProcessorId port, Address line);
    void stored_here(ProcessorId port, Address line);

    // Checks that a line has at most one owner, and that an owner has the only copy, unless the
    // line is dirty and shared. Also checks that some port has the line's bytes if memory does not.
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
        Address owning = Line::kNoAddress;  // the line on its way for a store
        std::vector<Address> leaving;       // lines evicted and not written back yet
    };

    std::size_t number(Address line) const { return line / line_bytes_; }
    LineState& copy(ProcessorId port, Address line) { return ports_[port].copies[number(line)]; }
    LineState copy(ProcessorId port, Address line) const {
        return ports_[port].copies[number(line)];
    }
    LineState snooped(LineState state, TransactionKind kind, bool changes) const;
    LineState filled(TransactionKind kind, bool shared) const;
    bool installs(TransactionKind kind, unsigned size) const;
    void own_effect(ProcessorId port, TransactionKind kind, Address line, unsigned size,
                    bool shared);
    static bool leaves(const Port& port, Address line);
    static void left(Port& port, Address line);

    Rules rules_;
    Address line_bytes_;
    std::vector<Port> ports_;
    std::vector<bool> in_memory_;  // for each line: memory has its current bytes
};

}  // namespace symsim::test
