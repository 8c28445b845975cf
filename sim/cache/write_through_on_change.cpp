// SPDX-License-Identifier: MIT
// Write-through with invalidation on change only: hardware that Anderson, Lazowska & Levy (1989)
// propose in section 4.6 of the journal version. Memory compares old and new bytes. A failed xchgb
// writes the value that is there already, so it leaves the other copies valid.
#include "sim/cache/protocol.h"
#include "sim/interconnect/request.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {
namespace {

class WriteThroughOnChange final : public Protocol {
  public:
    std::optional<TransactionKind> store(LineState) const override {
        return TransactionKind::store;
    }
    LineState filled(TransactionKind, bool) const override { return LineState::shared; }
    LineState stored(LineState own, bool) const override { return own; }
    LineState snooped(LineState own, TransactionKind transaction, bool changes) const override {
        return is_store(transaction) && changes ? LineState::invalid : own;
    }
};

}  // namespace

std::unique_ptr<Protocol> write_through_on_change() {
    return std::make_unique<WriteThroughOnChange>();
}

}  // namespace symsim
