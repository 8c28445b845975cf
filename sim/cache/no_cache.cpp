// SPDX-License-Identifier: MIT
// No cache (ALL section 4.6): every load brings its datum over the bus, every store takes it there,
// and code comes by what the prefetch queue takes.
#include "sim/cache/protocol.h"
#include "sim/interconnect/request.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {
namespace {

class NoCache final : public Protocol {
  public:
    std::optional<TransactionKind> store(LineState) const override {
        return TransactionKind::store;
    }
    LineState filled(TransactionKind, bool) const override { return LineState::invalid; }
    LineState stored(LineState, bool) const override { return LineState::invalid; }
    // The prefetch queue's bytes are forgotten when another changes them, as with caches.
    LineState snooped(LineState own, TransactionKind transaction, bool) const override {
        return is_store(transaction) ? LineState::invalid : own;
    }
    bool keeps_lines() const override { return false; }
};

}  // namespace

std::unique_ptr<Protocol> no_cache() {
    return std::make_unique<NoCache>();
}

}  // namespace symsim
