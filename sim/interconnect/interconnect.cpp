// SPDX-License-Identifier: MIT
#include "sim/interconnect/interconnect.h"

#include "sim/base/failure.h"

namespace symsim {

Interconnect::Interconnect(const InterconnectConfig& config, bool locks_hold_all, Memory& memory,
                           CodePageWatch& code)
    : memory_(memory),
      code_watch_(code),
      clock_(config.period()),
      arbitration_time_(clock_.cycles(config.arbitration_cycles)),
      line_mask_(~(config.line_bytes - 1)),
      candidates_(config, locks_hold_all),
      snoops_(memory, config.line_bytes, config.filter_snoops) {}

void Interconnect::attach(Port& port) {
    ports_.push_back({&port, {}, {}});
    snoops_.attach(port);
    if (ports_.size() > kMaxProcessors) impossible("{} ports on one interconnect", ports_.size());
}

// The less frequent part of post(): a write-back, which goes to the front of the port's queue, or a
// request that goes behind others of its port.
void Interconnect::post_slow(ProcessorId port, Request request) {
    RequestQueue& queue = ports_[port].queue;
    if (request.kind != TransactionKind::write_back) return queue.push_back(request);
    queue.push_front(request);
    on_write_back_posted(port);
    on_head_posted(port);
}

TransactionKind Interconnect::withdraw(ProcessorId port) {
    RequestQueue& queue = ports_[port].queue;
    const std::size_t last = queue.size() - 1;
    const TransactionKind kind = queue[last].kind;
    queue.erase(last);
    if (queue.empty()) on_head_dropped(port);
    return kind;
}

void Interconnect::roll_back_line(Address address, Time at, ProcessorId first) {
    for (ProcessorId port = 0; port < ports_.size(); ++port)
        ports_[port].port->roll_back_line(address, port < first ? at + 1 : at);
}

void Interconnect::set_page(Address address, PageUse use, Time at, ProcessorId by) {
    for (ProcessorId port = 0; port < ports_.size(); ++port)
        if (port != by) ports_[port].port->roll_back(port < by ? at + 1 : at);
    memory_.set_page(address, use);
}

}  // namespace symsim
