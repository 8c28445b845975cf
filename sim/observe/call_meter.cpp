// SPDX-License-Identifier: MIT
#include "sim/observe/call_meter.h"

#include "sim/base/failure.h"
#include "sim/base/saved_state.h"

namespace symsim {

// What the processor did until now has ended.
void CallMeter::begin(Place& place, CallPart part, Time at) {
    report_.parts[index(place.part)].add(place.since, at);
    place = {part, false, at};
}

void CallMeter::probe(Place& place, const Mark& mark) {
    const Time at = mark.time;
    // A poll that finds nothing leads to another poll, to a ready thread, or into the kernel.
    const bool found =
        mark.probe == ProbeKind::call_received || mark.probe == ProbeKind::answer_received;
    if (place.polls && found)
        place.part = mark.probe == ProbeKind::call_received ? CallPart::server_poll
                                                            : CallPart::client_poll;
    switch (mark.probe) {
        case ProbeKind::call_begin:
            return begin(place, CallPart::client_send, at);
        case ProbeKind::call_sent:
        case ProbeKind::answer_dispatch:
            return begin(place, CallPart::client_dispatch, at);
        case ProbeKind::call_poll:
            begin(place, CallPart::idle, at);
            place.polls = true;
            return;
        case ProbeKind::call_received:
            return begin(place, CallPart::server_receive, at);
        case ProbeKind::call_dispatch:
        case ProbeKind::call_answered:
            return begin(place, CallPart::server_dispatch, at);
        case ProbeKind::call_served:
            ++report_.served;
            return begin(place, CallPart::other, at);
        case ProbeKind::call_answer:
            return begin(place, CallPart::server_send, at);
        case ProbeKind::answer_received:
            return begin(place, CallPart::client_receive, at);
        case ProbeKind::call_end:
            ++report_.calls;
            return begin(place, CallPart::other, at);
        case ProbeKind::thread_resume:  // another processor has received for this thread
            if (place.polls) begin(place, CallPart::client_dispatch, at);
            return;
        case ProbeKind::thread_start:
            if (place.polls) begin(place, CallPart::server_dispatch, at);
            return;
        case ProbeKind::process_run:  // in an address space
        case ProbeKind::process_yield:
        case ProbeKind::process_preempt:
        case ProbeKind::process_exit:
            return begin(place, CallPart::other, at);
        default:
            return;
    }
}

void CallMeter::close(Time end) {
    for (Place& place : places_) begin(place, CallPart::other, end);
    Time sum = 0;
    for (const Spans& part : report_.parts) sum += part.sum;
    const Time all = end * static_cast<Time>(places_.size());
    if (sum != all)
        impossible("the parts of calls sum to {} ps, the time of all processors is {} ps", sum, all);
}

void CallMeter::check_loaded(unsigned processors, Time at) const {
    require(places_.size() == processors, "it has calls of {} processors", places_.size());
    CheckedSum sum;
    for (const Spans& part : report_.parts) sum.add(part.sum);
    Time elapsed = 0;
    for (const Place& place : places_) {
        require(place.since >= 0 && place.since <= at && index(place.part) < kCallParts,
                "a part of a call begins at {} ps", place.since);
        elapsed += place.since;
    }
    require(sum.sum() == elapsed, "the parts of calls sum to {} ps", sum.sum());
}

}  // namespace symsim
