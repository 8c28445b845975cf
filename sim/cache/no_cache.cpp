// SPDX-License-Identifier: MIT
// No cache (ALL section 4.6): every load brings its datum over the bus, every store takes it there,
// and code comes by what the prefetch queue takes.
#include "sim/bus/request.h"
#include "sim/cache/protocol.h"

namespace symsim {
namespace {

class NoCache final : public Protocol {
  public:
    std::optional<Kind> store(LineState) const override { return Kind::store; }
    LineState filled(Kind, bool) const override { return LineState::invalid; }
    LineState stored(LineState, bool) const override { return LineState::invalid; }
    // The prefetch queue's bytes are forgotten when another changes them, as with caches.
    LineState snooped(LineState own, Kind transaction, bool) const override {
        return is_store(transaction) ? LineState::invalid : own;
    }
    bool keeps_lines() const override { return false; }
};

}  // namespace

std::unique_ptr<Protocol> no_cache() {
    return std::make_unique<NoCache>();
}

}  // namespace symsim
