// SPDX-License-Identifier: MIT
// The bus: a lock on the bus that keeps all other ports off it (LockedRequest::hold_bus).
#include <algorithm>

#include "sim/bus/bus.h"

namespace symsim {

// To be called when locks_ has changed.
void Bus::note_bus_locked() {
    bus_locked_ = config_.locked_request == LockedRequest::hold_bus &&
                  std::any_of(locks_.begin(), locks_.end(), [](const Lock& l) { return l.on_bus; });
}

// A blocked request holds the bus while no transaction uses it, from the edge at which the request
// could be granted were there no lock. If several are blocked, the one that has waited longest
// holds it, of equally old ones that of the lowest port. Every use of the bus and every end of a
// lock reports the hold before it, up to `until`. A request posted speculatively is eligible only
// after `until`.
void Bus::report_hold(Time until) {
    ProcessorId holder = kNobody;
    for (const ProcessorId port : blocked_)
        if (holder == kNobody || eligible_[port] < eligible_[holder]) holder = port;
    if (holder == kNobody) return;
    const Time from = std::max({eligible_[holder], free_at_, held_until_});
    if (from >= until) return;
    held_until_ = until;
    const Request& request = head(holder);
    BusUse hold;
    hold.start = from;
    hold.duration = until - from;
    hold.posted = request.posted;
    hold.processor = holder;
    hold.kind = request.kind;
    hold.activity = request.activity;
    hold.address = request.address;
    hold.size = request.size;
    observer_.held(hold);
}

}  // namespace symsim
