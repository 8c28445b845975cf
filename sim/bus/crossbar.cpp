// SPDX-License-Identifier: MIT
#include "sim/bus/crossbar.h"

#include <algorithm>

#include "sim/interconnect/request.h"

namespace symsim {

namespace {
InterconnectConfig with_memory_never_busy(InterconnectConfig config) {
    config.memory.read_busy_cycles = config.memory.store_busy_cycles = 0;
    return config;
}
}  // namespace

Crossbar::Crossbar(const InterconnectConfig& config, Memory& memory, CodePageWatch& code,
                   DeviceSpace& devices, Observer& observer)
    : SnoopingInterconnect(with_memory_never_busy(config), /*locks_hold_all=*/false, memory, code,
                           devices),
      observer_(observer) {}

void Crossbar::release(ProcessorId port, Address line, bool on_bus, Time at) {
    end_lock(port, line, on_bus);
    schedule(find_next_edge(clock_.edge_after(at)));
}

// Replies come first, in the order in which they were ready. Requests that an unlock at this edge
// lets go wait for the next edge, whatever their number. The rotation continues from the first port
// that is granted, so that ports which want the same line take turns.
void Crossbar::advance(Time at) {
    begin_edge(at);
    for (std::size_t n = replies_.all().size(); n-- > 0 && replies_.all()[n].ready <= at;)
        if (free_from_[replies_.all()[n].port] <= at) reply(n, at);
    ProcessorId first = kNobody;
    const ProcessorSet requesting = candidates_.unblocked();
    for (const ProcessorId port : requesting.in_turn(turn_))
        if (grant(port, at) && first == kNobody) first = port;
    if (first != kNobody) turn_ = (first + 1) % kMaxProcessors;
    next_event_ = find_next_edge(at + clock_.period());
}

void Crossbar::reply(std::size_t place, Time at) {
    const PendingReplies::Reply done = replies_.take(place);
    BusUse reply = use_of(done.port, done.request, at, times_.reply(done.request));
    reply.posted = done.ready;
    reply.reply = true;
    use(reply);
    deliver(done, free_from_[done.port] + times_.synchronise());
}

// Whether a request of the port is granted. A store that its port makes in its own cache does not
// use the path, and the port's next request may.
bool Crossbar::grant(ProcessorId port, Time at) {
    while (candidates_.requests.eligible(port) <= at && free_from_[port] <= at &&
           candidates_.may_be_granted(port, at)) {
        const std::optional<Request> request = take(port, at);
        if (!request) continue;
        use(use_of(port, *request, at, times_.request(*request)));
        perform(port, *request, at, 0);
        return true;
    }
    return false;
}

void Crossbar::use(BusUse use) {
    use.resource = static_cast<std::uint8_t>(use.processor);
    use.locked = is_locked(use.processor, use.kind);
    free_from_[use.processor] = use.start + use.duration;
    observer_.used(use);
}

// A request for a line whose time is not known yet waits for the reply that brings the line.
Time Crossbar::find_next_edge(Time soonest) const {
    Time next = kNever;
    for (const PendingReplies::Reply& reply : replies_.all())
        next = std::min(next, std::max(reply.ready, free_from_[reply.port]));
    for (const ProcessorId port : candidates_.unblocked()) {
        const Time from = std::max(candidates_.requests.eligible(port), free_from_[port]);
        if (from >= next) continue;
        next = std::min(next,
                        std::max(from, candidates_.available_from(port, std::max(from, soonest))));
    }
    return next == kNever ? kNever : std::max(next, soonest);
}

}  // namespace symsim
