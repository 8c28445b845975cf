// SPDX-License-Identifier: MIT
// What a coherence protocol decides. One file per protocol; the controller does the rest.
//
// A protocol is asked when the answer takes effect: how a store to a line in this state is made,
// in which state a line arrives that has been read, in which state a store leaves the own line,
// and what becomes of it when another processor's transaction is snooped.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

#include "sim/base/options.h"
#include "sim/base/types.h"
#include "sim/cache/cache.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {

class Protocol {
  public:
    virtual ~Protocol() = default;

    // The transaction that a store to a line in this state (invalid: not here) needs; nothing: the
    // line is this cache's own, and the store is made in it.
    virtual std::optional<TransactionKind> store(LineState own) const = 0;
    // The state of a line that a fill of this kind brings; invalid: it is not kept. `shared`:
    // another cache has it too.
    virtual LineState filled(TransactionKind fill, bool shared) const = 0;
    // The state of the own line behind a store of its processor that went over the bus.
    virtual LineState stored(LineState own, bool shared) const = 0;
    // The state of an own line after another's transaction. `changes`: memory gets other bytes.
    virtual LineState snooped(LineState own, TransactionKind transaction, bool changes) const = 0;

    // Whether a line is in one cache at a time when it is stored to: then the bus keeps lines that
    // change owner to themselves, and who has locked a line needs no transaction to let it go.
    virtual bool lines_have_owners() const { return false; }
    // Whether there is a cache at all.
    virtual bool keeps_lines() const { return true; }
    // Whether a store that misses first brings its line in, by a read that the processor waits for.
    virtual bool allocates() const { return false; }
};

// Model A: stores go to memory at once and invalidate every other copy; a miss does not allocate.
std::unique_ptr<Protocol> write_through();
// The same, but a store that misses allocates.
std::unique_ptr<Protocol> write_through_allocate();
// As Model A, but a store that writes what is there already leaves other copies alone.
std::unique_ptr<Protocol> write_through_on_change();
// Model B: a store needs ownership, and goes to memory only when the line leaves.
std::unique_ptr<Protocol> write_back();
// As the Firefly: stores to a shared line go to memory and to the other copies.
std::unique_ptr<Protocol> write_update();
// Every reference uses the bus.
std::unique_ptr<Protocol> no_cache();

std::unique_ptr<Protocol> make_protocol(ProtocolKind kind);

// What a protocol says of stores, fills and snoops in all cases, so that nobody need ask it at
// each.
class ProtocolTable {
  public:
    explicit ProtocolTable(const Protocol& protocol);
    std::optional<TransactionKind> store(LineState own) const { return stores_[index(own)]; }
    LineState stored(LineState own, bool shared) const { return stored_[place(own, shared)]; }
    LineState filled(TransactionKind fill, bool shared) const {
        return filled_[index(fill)][shared ? 1 : 0];
    }
    // BusPort::reads_become_silent()
    bool reads_become_silent() const { return reads_become_silent_; }
    // Whether stored() is ever another state than before.
    bool stores_change_state() const { return stores_change_state_; }
    LineState snooped(LineState own, TransactionKind transaction, bool changes) const {
        return snooped_[index(transaction)][place(own, changes)];
    }

  private:
    static constexpr std::size_t kStates = 4;
    bool silent(LineState state) const;
    static std::size_t place(LineState own, bool flag) { return index(own) * 2 + (flag ? 1 : 0); }

    std::array<std::optional<TransactionKind>, kStates> stores_;
    std::array<LineState, 2 * kStates> stored_;
    std::array<std::array<LineState, 2>, kTransactionKinds> filled_;
    std::array<std::array<LineState, 2 * kStates>, kTransactionKinds> snooped_;
    bool stores_change_state_ = false;
    bool reads_become_silent_ = true;
};

}  // namespace symsim
