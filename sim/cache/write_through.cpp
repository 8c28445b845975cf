// SPDX-License-Identifier: MIT
// Write-through with invalidation, the Symmetry's Model A (hardware.md 1.1). The writer's own
// copy is updated; a store that misses does not bring the line in (guess, as there).
#include "sim/cache/protocol.h"

namespace symsim {
namespace {

class WriteThrough final : public Protocol {
  public:
    Kind store(LineState) const override { return Kind::store; }
    LineState filled(Kind) const override { return LineState::valid; }
    LineState snooped(LineState own, Kind transaction) const override {
        const bool writes = transaction == Kind::store || transaction == Kind::locked_store;
        return writes ? LineState::invalid : own;
    }
};

}  // namespace

std::unique_ptr<Protocol> write_through() {
    return std::make_unique<WriteThrough>();
}

}  // namespace symsim
