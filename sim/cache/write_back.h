// SPDX-License-Identifier: MIT
// Write-back with invalidation, the policy of the Symmetry's Model B. Sources: Anderson, Lazowska &
// Levy (1989), ALL; Netlib machine descriptions (c. 1988); bus cycles by Sequent's bic.h (derived).
//
// A line is shared (memory has the same bytes) or modified (the only copy). A store to a shared
// line invalidates the other copies by one address cycle (upgrade). A store that misses reads the
// line and invalidates the other copies (read-exclusive). So does the locked read of an xchg,
// unless the line is modified here already. When another cache reads a modified line, the owner
// supplies it, and memory is updated too.
#pragma once

#include "sim/cache/protocol.h"
#include "sim/interconnect/request.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {

class WriteBack : public Protocol {
  public:
    std::optional<TransactionKind> store(LineState own) const override {
        switch (own) {
            case LineState::invalid:
                return TransactionKind::read_exclusive;
            case LineState::shared:
                return TransactionKind::upgrade;
            default:
                return std::nullopt;
        }
    }
    LineState filled(TransactionKind fill, bool) const override {
        return is_read(fill) ? LineState::shared : LineState::modified;
    }
    LineState stored(LineState, bool) const override { return LineState::modified; }
    LineState snooped(LineState own, TransactionKind transaction, bool) const override {
        if (is_store(transaction) || transaction == TransactionKind::locked_read)
            return LineState::invalid;
        return is_read(transaction) && own != LineState::invalid ? LineState::shared : own;
    }
    bool lines_have_owners() const override { return true; }
};

}  // namespace symsim
