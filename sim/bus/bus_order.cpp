// SPDX-License-Identifier: MIT
// The bus: orders of grants other than in turn, which are options (bus.arbitration,
// bus.locked_request, bus.locked_class).
#include "sim/bus/bus.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {

// Of the requests that were passed over in their turn and can be granted now, the one that has been
// eligible longest: by rotation, some could be passed over for ever. kNobody: none can be granted.
ProcessorId Bus::choose_passed_over(std::uint64_t requesting, Time at) const {
    return choose_oldest(passed_over_ & requesting, at);
}

// `port` is granted in turn. Notes the requests that it passes over: those `refused` by a busy
// memory controller, which would else lose their turns again and again, and with
// LockedRequest::bypass those that a lock blocks.
void Bus::pass_over(std::uint64_t refused, ProcessorId port, Time at) {
    if (config_.arbitration != Arbitration::round_robin) return;
    passed_over_ |= refused;
    if (config_.locked_request != LockedRequest::bypass) return;
    const auto place = [this](ProcessorId p) {
        return (p + kMaxProcessors - turn_) % kMaxProcessors;
    };
    for (std::uint64_t left = in_turn(pending_ & blocked_, turn_); left != 0; left &= left - 1) {
        const ProcessorId other = first_in_turn(left, turn_);
        if (place(other) > place(port)) return;
        if (eligible_[other] <= at) passed_over_ |= std::uint64_t{1} << other;
    }
}

// The request that has been eligible longest; of equally old ones the first in the rotation, which
// here only decides between them.
ProcessorId Bus::choose_oldest(std::uint64_t requesting, Time at) const {
    ProcessorId oldest = kNobody;
    for (std::uint64_t left = in_turn(requesting, turn_); left != 0; left &= left - 1) {
        const ProcessorId port = first_in_turn(left, turn_);
        if (eligible_[port] > at || refused_by_memory(port, at)) continue;
        if (!keeps_turn() && !may_be_granted(port, at)) continue;
        if (oldest == kNobody || eligible_[port] < eligible_[oldest]) oldest = port;
    }
    return oldest != kNobody && may_be_granted(oldest, at) ? oldest : kNobody;
}

// Those of `requesting` whose oldest request is a locked read.
std::uint64_t Bus::locked_readers(std::uint64_t requesting) const {
    std::uint64_t readers = 0;
    for (std::uint64_t left = requesting; left != 0; left &= left - 1)
        if (head(static_cast<ProcessorId>(__builtin_ctzll(left))).kind ==
            TransactionKind::locked_read)
            readers |= left & -left;
    return readers;
}

}  // namespace symsim
