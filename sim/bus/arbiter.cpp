// SPDX-License-Identifier: MIT
// The arbiter: orders of grants other than in turn, which are options (bus.arbitration,
// bus.locked_request, bus.locked_class).
#include "sim/bus/arbiter.h"

#include "sim/base/saved_state.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {

// By slot classes, or by age.
ProcessorId Arbiter::choose_in_other_order(const Candidates& candidates, ProcessorSet requesting,
                                           Time at) {
    const auto choose_of = [&](ProcessorSet ports) {
        return arbitration_ == Arbitration::oldest ? choose_oldest(candidates, ports, at)
                                                   : choose_in_turn(candidates, ports, at);
    };
    if (locked_class_ == LockedClass::same) return choose_of(requesting);
    ProcessorSet low;  // ports whose oldest request is a locked read
    for (const ProcessorId port : requesting)
        if (candidates.requests.kind(port) == TransactionKind::locked_read) low.add(port);
    const ProcessorId port = choose_of(requesting - low);
    return port != kNobody ? port : choose_of(low);
}

// The request that has been eligible longest; of equally old ones the first in the rotation, which
// here only decides between them. Of requests that were passed over: by rotation, some could be
// passed over for ever.
ProcessorId Arbiter::choose_oldest(const Candidates& candidates, ProcessorSet requesting,
                                   Time at) const {
    ProcessorId oldest = kNobody;
    for (const ProcessorId port : requesting.in_turn(turn_)) {
        const Time eligible = candidates.requests.eligible(port);
        if (eligible > at || candidates.refused_by_memory(port, at)) continue;
        if (!keeps_turn() && !candidates.may_be_granted(port, at)) continue;
        if (oldest == kNobody || eligible < candidates.requests.eligible(oldest)) oldest = port;
    }
    return oldest != kNobody && candidates.may_be_granted(oldest, at) ? oldest : kNobody;
}

// `port` is granted in turn. Notes the requests that it passes over: those `refused` by a busy
// memory controller, which would else lose their turns again and again, and with
// LockedRequest::bypass those that a lock blocks.
void Arbiter::pass_over(const Candidates& candidates, ProcessorSet refused, ProcessorId port,
                        Time at) {
    if (arbitration_ != Arbitration::round_robin) return;
    passed_over_ |= refused;
    if (locked_request_ != LockedRequest::bypass) return;
    const auto place = [this](ProcessorId p) { return ProcessorSet::place_in_turn(p, turn_); };
    for (const ProcessorId other : candidates.locks.blocked().in_turn(turn_)) {
        if (place(other) > place(port)) return;
        if (candidates.requests.eligible(other) <= at) passed_over_.add(other);
    }
}

void Arbiter::check_loaded(const ProcessorSet& pending, Time last_edge, bool locked) const {
    require((passed_over_ - pending).empty(), "ports {} were passed over", passed_over_.text());
    require(turn_ < kMaxProcessors, "the turn is at port {}", turn_);
    require(turn_kept_at_ >= -1 && turn_kept_at_ <= last_edge, "a turn was kept at {} ps",
            turn_kept_at_);
    require(turn_kept_at_ < 0 || locked, "a turn is kept for a line that is not locked");
}

}  // namespace symsim
