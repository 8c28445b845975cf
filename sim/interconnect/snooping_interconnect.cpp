// SPDX-License-Identifier: MIT
#include "sim/interconnect/snooping_interconnect.h"

namespace symsim {

SnoopingInterconnect::SnoopingInterconnect(const InterconnectConfig& config, bool locks_hold_all,
                                           Memory& memory, CodePageWatch& code,
                                           DeviceSpace& devices)
    : Interconnect(config, locks_hold_all, memory, code),
      config_(config),
      times_(config),
      devices_(devices),
      write_backs_(config.line_bytes) {}

void SnoopingInterconnect::attach(Port& port) {
    Interconnect::attach(port);
    if (port.decides_at_grant()) deciding_.add(static_cast<ProcessorId>(ports_.size() - 1));
}

// What a store does to other ports' copies before they snoop it. An upgrade drops a write-back of
// the line that waits: this port has the same bytes, owns the line from now on, and will write it
// back. A store that installs its line is first snooped as a read.
void SnoopingInterconnect::take_from_others(ProcessorId port, const Request& request, Time at) {
    if (request.kind == TransactionKind::upgrade)
        supply_from_write_back(port, line_of(request.address));
    else if (ports_[port].port->installs_stored(request))
        snoops_.snoop_installed(port, request, at);
}

void SnoopingInterconnect::read_memory(ProcessorId port, const Request& request, Time at,
                                       Time waits) {
    ++ports_[port].counts.cache_misses;
    Snooped snooped = snoops_.snoop_read(port, request, at);
    if (!write_backs_.none())
        snooped.supplies |= supply_from_write_back(port, line_of(request.address));
    if (is_store(request.kind)) write(port, request, at);
    if (request.kind == TransactionKind::locked_read) begin_lock(port, request.address, true);
    if (config_.lines_have_owners)
        candidates_.lines.depart(port, request.kind, line_of(request.address), snooped.supplies,
                                 at);
    ports_[port].port->granted_and_answered(request, true, snooped.shares, at);
    replies_.add({times_.ready(at, snooped.supplies) + waits, port, 0, request});
}

void SnoopingInterconnect::write_code(ProcessorId port, const Request& request, Time at) {
    if (code_watch_.covers(request.address, request.size))
        ports_[port].port->roll_back_line(request.address, at);
    memory_.write(request.address, request.size, request.value);
    code_watch_.written(request.address, request.size);
}

void SnoopingInterconnect::access_device(ProcessorId port, const Request& request, Time at) {
    const bool reads = request.kind == TransactionKind::io_read;
    const DeviceReply reply =
        reads ? devices_.read(request.address, request.size, at)
              : devices_.write(request.address, request.size, request.value, at);
    ports_[port].port->granted_and_answered(request, reply.answered, false, at);
    if (reads)
        replies_.add({times_.device_ready(at, reply.delay), port, reply.value, request});
    else
        ports_[port].counts.waited += at - request.posted;
}

void SnoopingInterconnect::deliver(const PendingReplies::Reply& reply, Time arrives) {
    const Request& request = reply.request;
    ports_[reply.port].counts.waited += arrives - request.posted;
    const Time others_from = ports_[reply.port].port->replied(request, reply.io_value, arrives);
    if (config_.lines_have_owners && !is_io(request.kind))
        candidates_.lines.arrive(reply.port, line_of(request.address), arrives,
                                 clock_.edge_at_or_after(others_from),
                                 arrives + clock_.cycles(config_.line_unavailable_cycles));
}

// The transaction that unlocks the line has been granted.
void SnoopingInterconnect::unlock(ProcessorId port, Address address, Time at) {
    const Address line = line_of(address);
    end_lock(port, line, true);
    candidates_.lines.unlocked(line, at, at + clock_.cycles(config_.line_unavailable_cycles));
}

bool SnoopingInterconnect::supply_from_write_back(ProcessorId destination, Address line) {
    const auto found = write_backs_.find(
        destination, line,
        [this](ProcessorId port) -> const RequestQueue& { return ports_[port].queue; });
    if (!found) return false;
    RequestQueue& queue = ports_[found->port].queue;
    queue.erase(found->place);
    write_backs_.gone(found->port, line, queue);
    if (found->place == 0) on_head_dropped(found->port);
    return true;
}

}  // namespace symsim
