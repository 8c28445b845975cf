// SPDX-License-Identifier: MIT
// No cache (Anderson, Lazowska & Levy (1989), ALL, section 4.6): each load reads its datum over the
// bus, and each store writes it over the bus. Code is fetched in what the prefetch queue takes, a
// line at a time.
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
    // The state stands for the prefetch queue, which drops bytes that another processor changes, as
    // it does with caches.
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
