// SPDX-License-Identifier: MIT
// The Illinois protocol (Papamarcos and Patel, ISCA 1984): write-back with invalidation, as
// write_back.cpp, and a state for a line that no other cache has (MESI). A signal of the bus, its
// shared line, tells the requester of a read whether other caches have the line. If none has, the
// line is exclusive, and a store to it needs no transaction.
//
// In the paper a cache supplies a line even if memory has the same bytes. Here, as under
// write-back, only the owner of a modified line supplies it.
#include "sim/cache/protocol.h"
#include "sim/interconnect/request.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {
namespace {

bool is_read(TransactionKind kind) {
    return kind == TransactionKind::fetch || kind == TransactionKind::read;
}

class Illinois final : public Protocol {
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
    LineState filled(TransactionKind fill, bool shared) const override {
        if (!is_read(fill)) return LineState::modified;
        return shared ? LineState::shared : LineState::exclusive;
    }
    LineState stored(LineState, bool) const override { return LineState::modified; }
    LineState snooped(LineState own, TransactionKind transaction, bool) const override {
        if (is_store(transaction) || transaction == TransactionKind::locked_read)
            return LineState::invalid;
        return is_read(transaction) && own != LineState::invalid ? LineState::shared : own;
    }
    bool lines_have_owners() const override { return true; }
};

}  // namespace

std::unique_ptr<Protocol> illinois() {
    return std::make_unique<Illinois>();
}

}  // namespace symsim
