// SPDX-License-Identifier: MIT
// The state of an interconnect in checkpoints: what is found again after loading, and checks of
// what was loaded.
#include "sim/base/saved_state.h"
#include "sim/interconnect/snooping_interconnect.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {

SnoopingInterconnect::WaitingRequests SnoopingInterconnect::waiting() const {
    WaitingRequests saved;
    for (ProcessorId p = 0; p < ports_.size(); ++p)
        saved.ports.push_back(
            {candidates_.requests.eligible(p), ports_[p].queue, ports_[p].counts});
    saved.pending = candidates_.requests.pending();
    saved.writing_back = write_backs_.ports();
    saved.blocked = candidates_.locks.blocked();
    return saved;
}

void SnoopingInterconnect::load_waiting(const WaitingRequests& loaded) {
    require(loaded.ports.size() == ports_.size(), "it has {} bus ports", loaded.ports.size());
    write_backs_ = WriteBacks(config_.line_bytes);
    for (ProcessorId p = 0; p < ports_.size(); ++p) {
        RequestQueue& queue = ports_[p].queue = loaded.ports[p].queue;
        ports_[p].counts = loaded.ports[p].counts;
        write_backs_.load(p, queue);
        if (queue.empty())
            candidates_.no_request(p);
        else
            candidates_.requested(p, head(p).kind, line_of(head(p).address),
                                  loaded.ports[p].eligible);
    }
    candidates_.locks.find_blocked(candidates_.requests);
    const ProcessorSet& pending = candidates_.requests.pending();
    require(loaded.pending == pending, "ports {} request the bus", loaded.pending.text());
    require(loaded.writing_back == write_backs_.ports(), "ports {} write back",
            loaded.writing_back.text());
    require(loaded.blocked == candidates_.locks.blocked(), "ports {} are blocked",
            loaded.blocked.text());
}

void SnoopingInterconnect::check_loaded_parts(Time at) const {
    const ProcessorSet all = ProcessorSet::first(static_cast<unsigned>(ports_.size()));
    snoops_.check_loaded();
    for (const AttachedPort& port : ports_) port.counts.check_loaded();
    for (ProcessorId port = 0; port < ports_.size(); ++port) check_loaded_queue(port, at);
    const ProcessorSet& pending = candidates_.requests.pending();
    require((pending - all).empty(), "ports {} request the bus", pending.text());
    candidates_.locks.check_loaded(ports_.size(), config_.line_bytes, memory_.size());
    candidates_.lines.check_loaded(ports_.size(), config_.line_bytes, at + kFarAhead);
    check_loaded_replies(at);
}

void SnoopingInterconnect::check_loaded_edges(Time at, Time next_use) const {
    require(last_edge_ >= -1 && last_edge_ < at && last_grant_ >= -1 && last_grant_ <= last_edge_,
            "the last edge was at {} ps and the last grant at {} ps", last_edge_, last_grant_);
    require(next_event_ >= at && next_event_ <= next_use &&
                (next_event_ == kNever || clock_.edge_at_or_after(next_event_) == next_event_),
            "the next edge is at {} ps", next_event_);
}

void SnoopingInterconnect::check_loaded_queue(ProcessorId port, Time at) const {
    const RequestQueue& queue = ports_[port].queue;
    bool first_others = false;
    for (std::size_t n = 0; n < queue.size(); ++n) {
        check_loaded_request(queue[n], at);
        const TransactionKind kind = queue[n].kind;
        require(kind != TransactionKind::read_exclusive && kind != TransactionKind::upgrade,
                "port {} requests what only a grant decides", port);
        first_others |= kind != TransactionKind::write_back;
        require(kind != TransactionKind::write_back || (!first_others && deciding_.contains(port)),
                "port {} has a write-back behind another request", port);
        require(!queue[n].ends_lock || (kind == TransactionKind::locked_store &&
                                        holds_lock(port, line_of(queue[n].address), true)),
                "port {} ends a lock of {:#x} that it does not own", port, queue[n].address);
    }
    const Time eligible = candidates_.requests.eligible(port);
    require(queue.empty() || eligible == eligible_from(head(port).posted),
            "port {} has {} requests, eligible at {} ps", port, queue.size(), eligible);
}

// If lines have owners, a line in transit arrives with each reply.
void SnoopingInterconnect::check_loaded_replies(Time at) const {
    Time before = kNever;
    std::size_t lines = 0;
    for (const PendingReplies::Reply& reply : replies_.all()) {
        check_loaded_request(reply.request, at);
        require(reply.port < ports_.size() && has_reply(reply.request.kind),
                "port {} awaits the reply to a transaction of kind {}", reply.port,
                index(reply.request.kind));
        require(reply.ready >= 0 && reply.ready <= before && reply.ready < at + kFarAhead &&
                    clock_.edge_at_or_after(reply.ready) == reply.ready,
                "a reply is ready at {} ps", reply.ready);
        before = reply.ready;
        if (!config_.lines_have_owners || is_io(reply.request.kind)) continue;
        ++lines;
        require(candidates_.lines.departed(reply.port, line_of(reply.request.address)) == 1,
                "the line of {:#x} is not in transit to port {}", reply.request.address,
                reply.port);
    }
    require(candidates_.lines.departed() == lines,
            "{} lines are in transit, and {} replies are to come", candidates_.lines.departed(),
            lines);
}

}  // namespace symsim
