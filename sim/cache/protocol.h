// SPDX-License-Identifier: MIT
// The interface of a coherence protocol: a table of line states. Each protocol is one file;
// CacheController does the rest. docs/how-it-works/model.md ("Cache") describes the protocols.
//
// The answers are about a line's state in the own cache, and take effect at once. store() is asked
// when a store is made. filled() and stored() are asked when the bus grants a transaction of this
// cache, snooped() when it grants one of another cache.
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

    // The transaction that a store to a line in this state needs. No transaction: the store is made
    // in the cache; such a line is an own line. `invalid`: the cache does not contain the line.
    virtual std::optional<TransactionKind> store(LineState own) const = 0;
    // The state of a line that a transaction of this kind brings; invalid: the line is not
    // installed. `shared`: another cache has it too.
    virtual LineState filled(TransactionKind fill, bool shared) const = 0;
    // The line's state after a store of the own processor that went over the bus. `shared`: another
    // cache has the line too.
    virtual LineState stored(LineState own, bool shared) const = 0;
    // The state in which a store of all bytes of an absent line, over the bus, installs the line;
    // invalid: it does not. A processor stores 4 bytes at most.
    virtual LineState stored_whole(bool) const { return LineState::invalid; }
    // The line's state after another cache's transaction. `changes`: it changes bytes of memory.
    virtual LineState snooped(LineState own, TransactionKind transaction, bool changes) const = 0;

    // Whether a line that is stored to is in one cache only, its owner's. Then the bus blocks other
    // requests for a line while it changes owner, and unlocking a line needs no transaction.
    virtual bool lines_have_owners() const { return false; }
    // Whether there is a cache at all.
    virtual bool keeps_lines() const { return true; }
    // Whether a store that misses first reads its line, while the processor waits.
    virtual bool allocates() const { return false; }
};

// The Symmetry's Model A: each store goes to memory and invalidates every other copy. A store that
// misses does not allocate.
std::unique_ptr<Protocol> write_through();
// As write_through(), but a store that misses allocates.
std::unique_ptr<Protocol> write_through_allocate();
// As write_through(), but a store that does not change memory's bytes leaves other copies valid.
std::unique_ptr<Protocol> write_through_on_change();
// The Symmetry's Model B: a store needs ownership of the line. Memory gets the line when its owner
// writes it back or supplies it.
std::unique_ptr<Protocol> write_back();
// The protocol of the SGI POWER Series (MESI): as write_back(), but a store to a line that no other
// cache has needs no transaction.
std::unique_ptr<Protocol> illinois();
// The DEC Firefly's protocol: stores to a shared line update memory and the other copies.
std::unique_ptr<Protocol> write_update();
// Every reference uses the bus.
std::unique_ptr<Protocol> no_cache();

std::unique_ptr<Protocol> make_protocol(ProtocolKind kind);

// A protocol's answers for all states and transactions, computed once, so that the controller needs
// no virtual calls.
class ProtocolTable {
  public:
    explicit ProtocolTable(const Protocol& protocol);
    std::optional<TransactionKind> store(LineState own) const { return stores_[index(own)]; }
    LineState stored(LineState own, bool shared) const { return stored_[place(own, shared)]; }
    LineState stored_whole(bool shared) const { return stored_whole_[shared ? 1 : 0]; }
    LineState filled(TransactionKind fill, bool shared) const {
        return filled_[index(fill)][shared ? 1 : 0];
    }
    // Port::reads_become_silent()
    bool reads_become_silent() const { return reads_become_silent_; }
    // Whether stored() changes the state in any case.
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
    std::array<LineState, 2> stored_whole_;
    std::array<std::array<LineState, 2>, kTransactionKinds> filled_;
    std::array<std::array<LineState, 2 * kStates>, kTransactionKinds> snooped_;
    bool stores_change_state_ = false;
    bool reads_become_silent_ = true;
};

}  // namespace symsim
