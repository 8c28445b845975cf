// SPDX-License-Identifier: MIT
// The bus: a lock on the bus that keeps all other ports off it (LockedRequest::hold_bus).
#include <algorithm>

#include "sim/bus/bus.h"
#include "sim/interconnect/request.h"

namespace symsim {

// A blocked request holds the bus while no transaction uses it, from the edge at which the request
// could be granted were there no lock. If several are blocked, the one that has waited longest
// holds it, of equally old ones that of the lowest port. Every use of the bus and every end of a
// lock reports the hold before it, up to `until`. A request posted speculatively is eligible only
// after `until`.
void Bus::report_hold(Time until) {
    const auto eligible = [this](ProcessorId port) { return candidates_.requests.eligible(port); };
    ProcessorId holder = kNobody;
    for (const ProcessorId port : candidates_.locks.blocked())
        if (holder == kNobody || eligible(port) < eligible(holder)) holder = port;
    if (holder == kNobody) return;
    const Time from = std::max({eligible(holder), granting_from_, held_until_});
    if (from >= until) return;
    held_until_ = until;
    observer_.held(use_of(holder, head(holder), from, until - from));
}

}  // namespace symsim
