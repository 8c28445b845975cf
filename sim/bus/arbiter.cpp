// SPDX-License-Identifier: MIT
// The arbiter: orders of grants other than in turn, which are options (bus.arbitration,
// bus.locked_request, bus.locked_class).
#include "sim/bus/arbiter.h"

#include "sim/base/transaction_kind.h"

namespace symsim {

// By slot classes, or by age. A request is passed over only for one of its own class.
ProcessorId Arbiter::choose_in_other_order(const Candidates& candidates, ProcessorSet requesting,
                                           ProcessorSet refused, Time at) {
    const auto choose_of = [&](ProcessorSet from, ProcessorSet refused_of_them) {
        return arbitration_ == Arbitration::oldest
                   ? choose_oldest(candidates, from, at)
                   : choose_in_turn(candidates, from, refused_of_them, at);
    };
    if (locked_class_ == LockedClass::same) return choose_of(requesting, refused);
    ProcessorSet low;  // ports whose oldest request is a locked read
    for (const ProcessorId port : requesting | (refused & candidates.requests.pending()))
        if (candidates.requests.kind(port) == TransactionKind::locked_read) low.add(port);
    const ProcessorId port = choose_of(requesting - low, refused - low);
    return port != kNobody ? port : choose_of(requesting & low, refused & low);
}

// The request that has been eligible longest; of equally old ones the first in the rotation, which
// here only decides between them. Of requests that were passed over: by rotation, some could be
// passed over for ever.
ProcessorId Arbiter::choose_oldest(const Candidates& candidates, ProcessorSet requesting,
                                   Time at) const {
    const OldestRequests& requests = candidates.requests;
    while (!requesting.empty()) {
        ProcessorId oldest = requests.first();
        while (!requesting.contains(oldest)) oldest = requests.after(oldest);
        const Time since = requests.eligible(oldest);
        for (ProcessorId port = requests.after(oldest); requests.eligible(port) == since;
             port = requests.after(port))
            if (requesting.contains(port) && is_sooner(port, oldest)) oldest = port;
        if (candidates.may_be_granted(oldest, at)) return oldest;
        if (keeps_turn()) return kNobody;
        requesting.remove(oldest);
    }
    return kNobody;
}

}  // namespace symsim
