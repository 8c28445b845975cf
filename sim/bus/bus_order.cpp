// SPDX-License-Identifier: MIT
// The bus: orders of grants other than in turn, which are options (bus.arbitration,
// bus.locked_request, bus.locked_class).
#include "sim/bus/bus.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {

// Of the requests that were passed over in their turn and can be granted now, the one that has been
// eligible longest: by rotation, some could be passed over for ever. kNobody: none can be granted.
ProcessorId Bus::choose_passed_over(ProcessorSet requesting, Time at) const {
    return choose_oldest(passed_over_ & requesting, at);
}

// `port` is granted in turn. Notes the requests that it passes over: those `refused` by a busy
// memory controller, which would else lose their turns again and again, and with
// LockedRequest::bypass those that a lock blocks.
void Bus::pass_over(ProcessorSet refused, ProcessorId port, Time at) {
    if (config_.arbitration != Arbitration::round_robin) return;
    passed_over_ |= refused;
    if (config_.locked_request != LockedRequest::bypass) return;
    const auto place = [this](ProcessorId p) { return ProcessorSet::place_in_turn(p, turn_); };
    for (const ProcessorId other : (pending_ & blocked_).in_turn(turn_)) {
        if (place(other) > place(port)) return;
        if (eligible_[other] <= at) passed_over_.add(other);
    }
}

// The request that has been eligible longest; of equally old ones the first in the rotation, which
// here only decides between them.
ProcessorId Bus::choose_oldest(ProcessorSet requesting, Time at) const {
    ProcessorId oldest = kNobody;
    for (const ProcessorId port : requesting.in_turn(turn_)) {
        if (eligible_[port] > at || refused_by_memory(port, at)) continue;
        if (!keeps_turn() && !may_be_granted(port, at)) continue;
        if (oldest == kNobody || eligible_[port] < eligible_[oldest]) oldest = port;
    }
    return oldest != kNobody && may_be_granted(oldest, at) ? oldest : kNobody;
}

// Those of `requesting` whose oldest request is a locked read.
ProcessorSet Bus::locked_readers(ProcessorSet requesting) const {
    ProcessorSet readers;
    for (const ProcessorId port : requesting)
        if (head(port).kind == TransactionKind::locked_read) readers.add(port);
    return readers;
}

}  // namespace symsim
