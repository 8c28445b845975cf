// SPDX-License-Identifier: MIT
// The bus: lines that are unavailable, because they are in transit to a port or were unlocked
// recently, and write-backs that wait for the bus.
#include <algorithm>

#include "sim/base/failure.h"
#include "sim/bus/bus.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {

namespace {
// Whether the transaction takes the line: after it, no other cache has the line as it was.
bool takes_line(TransactionKind kind) {
    return is_store(kind) || kind == TransactionKind::locked_read;
}
}  // namespace

Time Bus::find_unavailable(ProcessorId port, Time at) const {
    const Address line = line_of(head(port).address);
    const TransactionKind kind = head(port).kind;
    Time until = 0;
    for (const Unavailable& u : unavailable_)
        if (u.destination == port) {
            if (is_store(kind) && u.arrives > at) until = std::max(until, u.arrives);
        } else if (u.line == line && u.until > at && (takes_line(kind) || !u.to_takers_only)) {
            until = std::max(until, u.until);
        }
    return until;
}

void Bus::forget_available(Time at) {
    const auto available = std::remove_if(unavailable_.begin(), unavailable_.end(),
                                          [=](const Unavailable& u) { return u.until <= at; });
    if (available == unavailable_.end()) return;
    unavailable_.erase(available, unavailable_.end());
    note_all_unavailable();
}

// Marks the requested line as in transit to the port. Other ports may read it meanwhile, unless the
// line changes owner or comes from an owner. Then it is for no other port until it has arrived and
// memory has it.
void Bus::mark_in_transit(ProcessorId port, const Request& request, bool from_owner, Time at) {
    forget_available(at);
    const bool shared = !takes_line(request.kind) && !from_owner;
    make_unavailable({line_of(request.address), kNever, port, shared, kNever});
}

void Bus::note_all_unavailable() {
    in_transit_to_ = {};
    unavailable_slots_ = 0;
    for (const Unavailable& u : unavailable_) note_unavailable(u);
}

// The line arrives at the port at `at`. Other ports may take it at the first edge not before
// `others_from`. A line that changed owner or came from one stays unavailable for
// line_unavailable_cycles after its arrival at least.
void Bus::arrived(ProcessorId port, Address line, Time at, Time others_from) {
    const auto coming =
        std::find_if(unavailable_.begin(), unavailable_.end(), [=](const Unavailable& u) {
            return u.destination == port && u.line == line && u.until == kNever;
        });
    if (coming == unavailable_.end())
        impossible("line {:#x} arrives at port {} and was not on its way", line, port);
    coming->arrives = at;
    coming->until = clock_.edge_at_or_after(others_from);
    if (!coming->to_takers_only)
        coming->until =
            std::max(coming->until, at + clock_.cycles(config_.line_unavailable_cycles));
}

// The port's oldest request is a new write-back.
void Bus::on_write_back_posted(ProcessorId port) {
    writing_back_.add(port);
    ++write_backs_[slot_number(head(port).address)];
}

// A write-back of the line has left the port's queue. Write-backs come first in a queue, so its
// first request shows whether another write-back waits.
void Bus::write_back_gone(ProcessorId port, Address line) {
    --write_backs_[slot_number(line)];
    const RequestQueue& queue = ports_[port].queue;
    if (queue.empty() || queue.front().kind != TransactionKind::write_back)
        writing_back_.remove(port);
}

void Bus::note_all_write_backs() {
    write_backs_.fill(0);
    for (const AttachedPort& attached : ports_) {
        const RequestQueue& queue = attached.queue;
        for (std::size_t n = 0; n < queue.size() && queue[n].kind == TransactionKind::write_back;
             ++n)
            ++write_backs_[slot_number(queue[n].address)];
    }
}

// Removes another port's write-back of the line, if there is one: that port supplies the line, and
// memory gets it with the reply.
bool Bus::find_write_back(ProcessorId destination, Address line) {
    for (const ProcessorId port : writing_back_.without(destination)) {
        RequestQueue& queue = ports_[port].queue;
        const std::size_t n = queue.find_first(TransactionKind::write_back, line);
        if (n == RequestQueue::kNone) continue;
        queue.erase(n);
        write_back_gone(port, line);
        if (n == 0) on_head_removed(port);
        return true;
    }
    return false;
}

}  // namespace symsim
