// SPDX-License-Identifier: MIT
// Write-through with invalidation, the Symmetry's Model A (hardware.md 1.1). The writer's own
// copy is updated; a store that misses does not bring the line in (guess, as there).
#include "sim/bus/request.h"
#include "sim/cache/protocol.h"

namespace symsim {
namespace {

class WriteThrough final : public Protocol {
  public:
    std::optional<Kind> store(LineState) const override { return Kind::store; }
    LineState filled(Kind, bool) const override { return LineState::valid; }
    LineState stored(LineState own, bool) const override { return own; }
    LineState snooped(LineState own, Kind transaction, bool) const override {
        return is_store(transaction) ? LineState::invalid : own;
    }
};

}  // namespace

std::unique_ptr<Protocol> write_through() {
    return std::make_unique<WriteThrough>();
}

}  // namespace symsim
