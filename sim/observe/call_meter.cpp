// SPDX-License-Identifier: MIT
#include "sim/observe/call_meter.h"

#include "sim/base/failure.h"

namespace symsim {

CallSpan CallParts::begin(CallPart part, Time at) {
    const CallSpan ended{part_, since_, at};
    part_ = part;
    polls_ = false;
    since_ = at;
    return ended;
}

std::optional<CallSpan> CallParts::take(const Mark& mark) {
    if (mark.what != Mark::What::probe) return std::nullopt;
    const std::optional<CallPart> next = after(mark.probe);
    if (!next) return std::nullopt;
    // A poll that finds nothing leads to another poll, to a ready thread, or into the kernel.
    if (polls_ && mark.probe == ProbeKind::call_received) part_ = CallPart::server_poll;
    if (polls_ && mark.probe == ProbeKind::answer_received) part_ = CallPart::client_poll;
    const CallSpan ended = begin(*next, mark.time);
    polls_ = mark.probe == ProbeKind::call_poll;
    return ended;
}

// What the processor does after such a probe point, if that is something else.
std::optional<CallPart> CallParts::after(ProbeKind kind) const {
    switch (kind) {
        case ProbeKind::call_begin:
            return CallPart::client_send;
        case ProbeKind::call_sent:
        case ProbeKind::answer_dispatch:
            return CallPart::client_dispatch;
        case ProbeKind::call_poll:
            return CallPart::idle;
        case ProbeKind::call_received:
            return CallPart::server_receive;
        case ProbeKind::call_dispatch:
        case ProbeKind::call_answered:
            return CallPart::server_dispatch;
        case ProbeKind::call_answer:
            return CallPart::server_send;
        case ProbeKind::answer_received:
            return CallPart::client_receive;
        case ProbeKind::call_served:
        case ProbeKind::call_end:
        case ProbeKind::process_run:  // in an address space
        case ProbeKind::process_yield:
        case ProbeKind::process_preempt:
        case ProbeKind::process_exit:
            return CallPart::other;
        case ProbeKind::thread_resume:  // another processor has received for this thread
            return polls_ ? std::optional(CallPart::client_dispatch) : std::nullopt;
        case ProbeKind::thread_start:
            if (polls_) return CallPart::server_dispatch;
            if (part_ == CallPart::client_dispatch) return CallPart::other;
            return std::nullopt;
        default:
            return std::nullopt;
    }
}

void CallMeter::close(Time end) {
    for (CallParts& processor : processors_) add(processor.cut(end));
    Time sum = 0;
    for (const Spans& part : report_.parts) sum += part.sum;
    const Time all = end * static_cast<Time>(processors_.size());
    if (sum != all)
        impossible("the parts of calls sum to {} ps, the time of all processors is {} ps", sum,
                   all);
}

}  // namespace symsim
