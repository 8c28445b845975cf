// SPDX-License-Identifier: MIT
// The bus: checks of a state that was loaded from a checkpoint file.
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
    check_loaded_edges(at);
    candidates_.memory.check_loaded(at + kFarAhead);
}

// The next edge must not be missed: nothing but an edge lets a waiting processor continue.
void Bus::check_loaded_edges(Time at) const {
    require(last_edge_ >= -1 && last_edge_ < at && last_grant_ >= -1 && last_grant_ <= last_edge_,
            "the last edge was at {} ps and the last grant at {} ps", last_edge_, last_grant_);
    require(held_until_ >= 0 && held_until_ <= at, "the bus has been held until {} ps",
            held_until_);
    require(granting_from_ >= 0 && granting_from_ < std::max<Time>(last_edge_, 0) + kFarAhead &&
                clock_.edge_at_or_after(granting_from_) == granting_from_,
            "the bus is free at {} ps", granting_from_);
    const Time soonest = std::max(granting_from_, clock_.edge_at_or_after(at));
    const Time use = earliest_use_with_waits(last_edge_, soonest);
    require(next_event_ >= at && next_event_ <= (use == kNever ? kNever : std::max(use, soonest)) &&
                (next_event_ == kNever || clock_.edge_at_or_after(next_event_) == next_event_),
            "the next edge is at {} ps", next_event_);
}

}  // namespace symsim
