// SPDX-License-Identifier: MIT
// Write-update after the Firefly (Archibald and Baer, TOCS 1986; hardware.md section 3): the bus's
// shared line tells who reads or writes whether other caches have the line. A line that no other
// has is stored to in the cache; a store to a shared one goes to memory and to all copies, and
// nothing is ever invalidated. A store that misses goes the same way and does not bring the line
// in: the Firefly's lines were one word, so that a store never had to read the rest.
#include "sim/cache/protocol.h"
#include "sim/interconnect/request.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {
namespace {

class WriteUpdate final : public Protocol {
  public:
    std::optional<TransactionKind> store(LineState own) const override {
        const bool alone = own == LineState::exclusive || own == LineState::modified;
        return alone ? std::nullopt : std::optional(TransactionKind::store);
    }
    LineState filled(TransactionKind, bool shared) const override {
        return shared ? LineState::shared : LineState::exclusive;
    }
    LineState stored(LineState own, bool shared) const override {
        return own == LineState::invalid ? own : filled(TransactionKind::store, shared);
    }
    LineState snooped(LineState own, TransactionKind transaction, bool) const override {
        const bool reads = has_reply(transaction) && !is_io(transaction);
        return reads && own != LineState::invalid ? LineState::shared : own;
    }
};

}  // namespace

std::unique_ptr<Protocol> write_update() {
    return std::make_unique<WriteUpdate>();
}

}  // namespace symsim
