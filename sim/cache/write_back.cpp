// SPDX-License-Identifier: MIT
// Write-back with invalidation, the Symmetry's Model B (hardware.md 1.1 and 1.2): copies are valid
// (memory has the same) or modified (the only one). A store to a valid copy invalidates the others
// by an address cycle, one that misses reads the line and takes it; an exchange takes it unless it
// is owned already. Another's read makes an owner supply the line, which memory gets too.
#include "sim/cache/protocol.h"
#include "sim/interconnect/request.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {
namespace {

class WriteBack final : public Protocol {
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
        const bool read = fill == TransactionKind::fetch || fill == TransactionKind::read;
        return read ? LineState::shared : LineState::modified;
    }
    LineState stored(LineState, bool) const override { return LineState::modified; }
    LineState snooped(LineState own, TransactionKind transaction, bool) const override {
        if (is_store(transaction) || transaction == TransactionKind::locked_read)
            return LineState::invalid;
        const bool read =
            transaction == TransactionKind::fetch || transaction == TransactionKind::read;
        return read && own != LineState::invalid ? LineState::shared : own;
    }
    bool lines_have_owners() const override { return true; }
};

}  // namespace

std::unique_ptr<Protocol> write_back() {
    return std::make_unique<WriteBack>();
}

}  // namespace symsim
