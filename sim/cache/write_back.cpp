// SPDX-License-Identifier: MIT
// Write-back with invalidation, the Symmetry's Model B (hardware.md 1.1 and 1.2): copies are valid
// (memory has the same) or modified (the only one). A store to a valid copy invalidates the others
// by an address cycle, one that misses reads the line and takes it; an exchange takes it unless it
// is owned already. Another's read makes an owner supply the line, which memory gets too.
#include "sim/bus/request.h"
#include "sim/cache/protocol.h"

namespace symsim {
namespace {

class WriteBack final : public Protocol {
  public:
    std::optional<Kind> store(LineState own) const override {
        switch (own) {
            case LineState::invalid:
                return Kind::read_own;
            case LineState::valid:
                return Kind::invalidate;
            default:
                return std::nullopt;
        }
    }
    LineState filled(Kind fill, bool) const override {
        const bool read = fill == Kind::fetch || fill == Kind::read;
        return read ? LineState::valid : LineState::modified;
    }
    LineState stored(LineState, bool) const override { return LineState::modified; }
    LineState snooped(LineState own, Kind transaction, bool) const override {
        if (is_store(transaction) || transaction == Kind::locked_read) return LineState::invalid;
        const bool read = transaction == Kind::fetch || transaction == Kind::read;
        return read && own != LineState::invalid ? LineState::valid : own;
    }
    bool lines_have_owners() const override { return true; }
};

}  // namespace

std::unique_ptr<Protocol> write_back() {
    return std::make_unique<WriteBack>();
}

}  // namespace symsim
