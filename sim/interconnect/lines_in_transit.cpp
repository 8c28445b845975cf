// SPDX-License-Identifier: MIT
#include "sim/interconnect/lines_in_transit.h"

#include <algorithm>

#include "sim/base/failure.h"
#include "sim/interconnect/request.h"

namespace symsim {

namespace {
// Whether the transaction takes the line: after it, no other cache has the line as it was.
bool takes_line(TransactionKind kind) {
    return is_store(kind) || kind == TransactionKind::locked_read;
}
}  // namespace

Time LinesInTransit::find(ProcessorId port, TransactionKind kind, Address line, Time at) const {
    Time until = 0;
    for (const Line& l : lines_)
        if (l.destination == port) {
            if (is_store(kind) && l.arrives > at) until = std::max(until, l.arrives);
        } else if (l.line == line && l.until > at && (takes_line(kind) || !l.to_takers_only)) {
            until = std::max(until, l.until);
        }
    return until;
}

void LinesInTransit::depart(ProcessorId port, TransactionKind kind, Address line, bool from_owner,
                            Time at) {
    forget_available(at);
    const bool shared = !takes_line(kind) && !from_owner;
    add({line, kNever, port, shared, kNever});
}

void LinesInTransit::arrive(ProcessorId port, Address line, Time at, Time others_from,
                            Time keep_until) {
    const auto coming = std::find_if(lines_.begin(), lines_.end(), [=](const Line& l) {
        return l.destination == port && l.line == line && l.until == kNever;
    });
    if (coming == lines_.end())
        impossible("line {:#x} arrives at port {} and was not on its way", line, port);
    coming->arrives = at;
    coming->until = coming->to_takers_only ? others_from : std::max(others_from, keep_until);
}

void LinesInTransit::unlocked(Address line, Time at, Time until) {
    forget_available(at);
    if (until > at) add({line, until, kNobody, false, 0});
}

void LinesInTransit::forget_available(Time at) {
    const auto available =
        std::remove_if(lines_.begin(), lines_.end(), [=](const Line& l) { return l.until <= at; });
    if (available == lines_.end()) return;
    lines_.erase(available, lines_.end());
    destinations_ = {};
    used_slots_ = 0;
    for (const Line& line : lines_) note(line);
}

}  // namespace symsim
