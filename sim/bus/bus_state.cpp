// SPDX-License-Identifier: MIT
// The bus: checks of a state that was loaded from a checkpoint file.
#include <algorithm>

#include "sim/base/archive.h"
#include "sim/base/saved_state.h"
#include "sim/bus/bus.h"

namespace symsim {

void Bus::save_state(SaveArchive& archive) {
    serialize(archive);
}

void Bus::load_state(LoadArchive& archive) {
    serialize(archive);
}

void Bus::check_loaded(Time at) const {
    check_loaded_parts(at);
    arbiter_.check_loaded(candidates_.requests.pending(), last_edge_, !candidates_.locks.none());
    const Time soonest = std::max(granting_from_, clock_.edge_at_or_after(at));
    const Time use = earliest_use_with_waits(last_edge_, soonest);
    check_loaded_edges(at, use == kNever ? kNever : std::max(use, soonest));
    require(held_until_ >= 0 && held_until_ <= at, "the bus has been held until {} ps",
            held_until_);
    require(granting_from_ >= 0 && granting_from_ < std::max<Time>(last_edge_, 0) + kFarAhead &&
                clock_.edge_at_or_after(granting_from_) == granting_from_,
            "the bus is free at {} ps", granting_from_);
    candidates_.memory.check_loaded(at + kFarAhead);
}

}  // namespace symsim
