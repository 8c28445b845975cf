// SPDX-License-Identifier: MIT
// Write-update, the protocol of the DEC Firefly (Archibald and Baer, TOCS 1986). A signal of the
// bus, its shared line, tells the requester whether other caches have the line. A store to a line
// that no other cache has is made in the cache. A store to a shared line goes over the bus and
// updates memory and all copies; nothing is ever invalidated. A store that misses also goes over
// the bus. If it is of the whole line, it allocates. The Firefly's lines were one word, so most of
// its stores were; in longer lines the rest would have to be read first.
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
    LineState stored_whole(bool shared) const override {
        return filled(TransactionKind::store, shared);
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
