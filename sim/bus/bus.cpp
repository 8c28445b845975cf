// SPDX-License-Identifier: MIT
// The bus: grants, replies, the search for the next edge, and a lock on the bus that keeps all
// other ports off it (LockedRequest::hold_bus).
#include "sim/bus/bus.h"

#include <algorithm>

#include "sim/interconnect/request.h"

namespace symsim {

Bus::Bus(const InterconnectConfig& config, Memory& memory, CodePageWatch& code,
         DeviceSpace& devices, Observer& observer)
    : SnoopingInterconnect(config, config.locked_request == LockedRequest::hold_bus, memory, code,
                           devices),
      observer_(observer),
      arbiter_(config) {}

void Bus::on_head_dropped(ProcessorId port) {
    arbiter_.request_gone(port);
    note_head(port);
}

void Bus::lock_in_cache(ProcessorId port, Address line, Time at) {
    begin_lock(port, line, false);
    reschedule_edge(at);
}

void Bus::release(ProcessorId port, Address line, bool on_bus, Time at) {
    if (candidates_.locks.all_held()) report_hold(at);
    end_lock(port, line, on_bus);
    reschedule_edge(at);
}

// A port that could not be granted the bus may be granted it now.
void Bus::reschedule_edge(Time at) {
    schedule(find_next_edge(at, std::max(granting_from_, clock_.edge_after(at))));
}

void Bus::advance(Time at) {
    begin_edge(at);
    if (at >= granting_from_) {
        if (replies_.next_ready() <= at)
            reply(at);
        else
            arbitrate(at);
    }
    next_event_ = find_next_edge(at, std::max(granting_from_, at + clock_.period()));
}

[[gnu::always_inline]] inline void Bus::arbitrate(Time at) {
    for (;;) {
        const ProcessorId port = arbiter_.choose(candidates_, at);
        if (port == kNobody || grant(port, at)) return;
    }
}

// Grants the port's oldest request. False: the request turned out not to need the bus.
[[gnu::always_inline]] inline bool Bus::grant(ProcessorId port, Time at) {
    if (candidates_.locks.all_held()) report_hold(at);
    arbiter_.request_gone(port);
    const std::optional<Request> request = take(port, at);
    if (!request) return false;
    const Time occupancy = times_.request(*request);
    granting_from_ = at + occupancy;
    BusUse use = use_of(port, *request, at, occupancy);
    report(use);
    const Time waits = candidates_.memory.accept(request->kind, request->address, at);
    perform(port, *request, at, waits);
    return true;
}

void Bus::reply(Time at) {
    if (candidates_.locks.all_held()) report_hold(at);
    const PendingReplies::Reply done = replies_.take_next();
    const Time occupancy = times_.reply(done.request);
    granting_from_ = at + occupancy;
    BusUse use = use_of(done.port, done.request, at, occupancy);
    use.posted = done.ready;
    use.reply = true;
    report(use);
    deliver(done, granting_from_ + times_.synchronise());
}

inline void Bus::report(BusUse& use) {
    use.locked = is_locked(use.processor, use.kind);
    observer_.used(use);
}

// When the next reply is ready, or the next request eligible and accepted by memory, if no request
// has to wait for an unavailable line or for a kept turn. Exact only if that is after `soonest`.
inline Time Bus::earliest_use(Time soonest) const {
    const OldestRequests& requests = candidates_.requests;
    const ProcessorSet blocked = candidates_.locks.blocked();
    const ProcessorSet waiting = requests.eligible_ports() - blocked;
    Time next = std::min(replies_.next_ready(), candidates_.memory.accepts_one_from(waiting));
    if (next <= soonest) return next;
    for (ProcessorId port = requests.first_ahead(); requests.eligible(port) < next;
         port = requests.after(port)) {
        if (blocked.contains(port)) continue;
        next = std::min(next,
                        std::max(requests.eligible(port), candidates_.memory.accepts_from(port)));
    }
    return next;
}

// Like earliest_use(), but requests may have to wait for other reasons. Blocked requests for a
// locked line can be granted after the unlock, which causes an edge of its own. Requests for an
// unavailable line can be granted when its time has passed or after the reply that brings the line.
// If the arbiter kept a turn for a locked line at `at`, all eligible requests wait for the unlock
// except those of lock owners, and those that memory refused: they may be earlier in the rotation.
// Requests that become eligible after `at` may be granted earlier. The search begins with the port
// whose turn is next: it has usually waited longest, and if it can be granted the search is over.
Time Bus::earliest_use_with_waits(Time at, Time soonest) const {
    Time next = replies_.next_ready();
    for (const ProcessorId port : candidates_.unblocked().in_turn(arbiter_.turn())) {
        if (next <= soonest) break;
        const Time from = candidates_.requests.eligible(port);
        const Time accepted = candidates_.memory.accepts_from(port);
        const bool waits_for_unlock = arbiter_.kept_turn(at) && from <= at &&
                                      !candidates_.locks.owns_any(port) && accepted <= at;
        if (from >= next || waits_for_unlock) continue;
        const Time available = candidates_.available_from(port, std::max(from, soonest));
        next = std::min(next, std::max({from, available, accepted}));
    }
    return next;
}

inline Time Bus::find_next_edge(Time at, Time soonest) const {
    if (replies_.next_ready() <= soonest) return soonest;
    const bool some_wait = arbiter_.kept_turn(at) || !candidates_.lines.none();
    const Time next = some_wait ? earliest_use_with_waits(at, soonest) : earliest_use(soonest);
    return next == kNever ? kNever : std::max(next, soonest);
}

// A blocked request holds the bus while no transaction uses it, from the edge at which the request
// could be granted were there no lock. If several are blocked, the one that has waited longest
// holds it, of equally old ones that of the lowest port. Every use of the bus and every end of a
// lock reports the hold before it, up to `until`. A request posted speculatively is eligible only
// after `until`.
[[gnu::noinline]] void Bus::report_hold(Time until) {
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
