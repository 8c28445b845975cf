// SPDX-License-Identifier: MIT
// The bus: orders of grants other than in turn, which are options (bus.arbitration,
// bus.locked_request, bus.locked_class).
#include "sim/bus/bus.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {

// Whether a grant to `port` bypasses a blocked request that is earlier in the rotation. The
// rotation then stays where it is (LockedRequest::bypass).
bool Bus::bypasses_blocked(ProcessorId port, ProcessorId first, Time at) const {
    const auto place = [first](ProcessorId p) {
        return (p + kMaxProcessors - first) % kMaxProcessors;
    };
    for (std::uint64_t left = in_turn(pending_ & blocked_, first); left != 0; left &= left - 1) {
        const ProcessorId other = first_in_turn(left, first);
        if (place(other) > place(port)) return false;
        if (eligible_[other] <= at) return true;
    }
    return false;
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
