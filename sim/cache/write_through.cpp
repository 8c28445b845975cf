// SPDX-License-Identifier: MIT
// Write-through with invalidation, the Symmetry's Model A (Anderson, Lazowska & Levy (1989),
// section 2). The writer's own copy is updated. No source says whether a store that misses
// allocates its line, so there is a protocol for either case. The default, no allocation, is a
// guess.
#include "sim/cache/protocol.h"
#include "sim/interconnect/request.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {
namespace {

class WriteThrough : public Protocol {
  public:
    std::optional<TransactionKind> store(LineState) const override {
        return TransactionKind::store;
    }
    LineState filled(TransactionKind, bool) const override { return LineState::shared; }
    LineState stored(LineState own, bool) const override { return own; }
    LineState snooped(LineState own, TransactionKind transaction, bool) const override {
        return is_store(transaction) ? LineState::invalid : own;
    }
};

class WriteThroughAllocate final : public WriteThrough {
  public:
    bool allocates() const override { return true; }
};

}  // namespace

std::unique_ptr<Protocol> write_through() {
    return std::make_unique<WriteThrough>();
}

std::unique_ptr<Protocol> write_through_allocate() {
    return std::make_unique<WriteThroughAllocate>();
}

}  // namespace symsim
