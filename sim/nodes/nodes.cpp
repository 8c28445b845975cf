// SPDX-License-Identifier: MIT
#include "sim/nodes/nodes.h"

#include <algorithm>
#include <optional>

#include "sim/base/failure.h"
#include "sim/interconnect/request.h"

namespace symsim {

Nodes::Nodes(const NodeMachineConfig& config, Memory& memory, CodePageWatch& code,
             DeviceSpace& devices, Observer& observer, const NodeProtocol& node_protocol,
             const HomeProtocol& home_protocol)
    : Interconnect(config, /*locks_hold_all=*/false, memory, code),
      config_(config),
      times_(config),
      devices_(devices),
      observer_(observer),
      resources_(config, observer),
      placement_(config, memory.size()),
      banks_(config, resources_),
      ring_(config, resources_, steps_),
      directory_(config, memory.size(), placement_, banks_, ring_, steps_, home_protocol) {
    NodePorts& ports = *this;
    for (unsigned id = 0; id < config.count; ++id)
        nodes_.push_back(std::make_unique<Node>(static_cast<NodeId>(id), config, memory.size(),
                                                placement_, banks_, ring_, ports, node_protocol));
}

void Nodes::attach(Port& port) {
    Interconnect::attach(port);
    transactions_.emplace_back();
}

void Nodes::on_write_back_posted(ProcessorId port) {
    if (under_way_.contains(port))
        impossible("port {} writes back while its request is under way", port);
}

void Nodes::lock_in_cache(ProcessorId port, Address line, Time) {
    candidates_.locks.begin(port, line, false, candidates_.requests);
}

void Nodes::release(ProcessorId port, Address line, bool on_bus, Time at) {
    candidates_.locks.end(port, line, on_bus, candidates_.requests);
    Message released;
    released.port = port;
    released.block = block_of(line);
    const Time next = clock_.edge_after(at);
    steps_.add_release(next, released, static_cast<NodeId>(node_of(port)));
    schedule(next);
}

void Nodes::advance(Time at) {
    if (at <= last_event_) impossible("an event at {} ps after one at {} ps", at, last_event_);
    last_event_ = at;
    resources_.report(at);
    do {
        while (steps_.next() == at) happen(steps_.take());
        start_requests(at);
    } while (steps_.next() == at);
    next_event_ = find_next_event(at);
}

Time Nodes::find_next_event(Time at) const {
    Time next = std::min(steps_.next(), resources_.next_report());
    for (const ProcessorId port : candidates_.requests.pending() - under_way_)
        next = std::min(next, std::max(candidates_.requests.eligible(port), clock_.edge_after(at)));
    return next;
}

void Nodes::start_requests(Time at) {
    ProcessorId first = kNobody;
    const ProcessorSet waiting = candidates_.requests.pending() - under_way_;
    for (const ProcessorId port : waiting.in_turn(turn_))
        if (start(port, at) && first == kNobody) first = port;
    if (first != kNobody) turn_ = (first + 1) % kMaxProcessors;
}

// Starts the port's oldest request. Stores that the port makes in its own cache need no
// transaction, and the next request may start. False: there is no request to start.
bool Nodes::start(ProcessorId port, Time at) {
    while (candidates_.requests.eligible(port) <= at) {
        Request request = head(port);
        if (is_store(request.kind) && !is_io(request.kind)) {
            const std::optional<TransactionKind> needed = ports_[port].port->needs(request, at);
            if (!needed) {
                pop(port);
                continue;
            }
            request.kind = *needed;
        }
        last_grant_ = at;
        under_way_.add(port);
        transactions_[port] = Transaction{};
        transactions_[port].kind = request.kind;
        const Time start = resources_.use(resources_.way(port), at, times_.request(request),
                                          use_of(port, request, at, 0));
        if (start == at)
            path_taken(port, at);
        else
            steps_.add(start, NodeStep::What::path_taken, message(port));
        return true;
    }
    return false;
}

void Nodes::happen(const NodeStep& step) {
    const Message& message = step.message;
    switch (step.what) {
        case NodeStep::What::released:
            return nodes_[step.node]->resume(message.block, step.at);
        case NodeStep::What::path_taken:
            return path_taken(message.port, step.at);
        case NodeStep::What::arrived:
            placement_.touch(message.block, step.node);
            return nodes_[step.node]->request(message, step.at);
        case NodeStep::What::written_back:
            return nodes_[step.node]->written_back(message, step.at);
        case NodeStep::What::hop:
            return ring_.hop(message, step.node, step.at);
        case NodeStep::What::delivered:
            if (is_to_home(message.kind)) return directory_.receive(message, step.at);
            nodes_[message.to]->receive(message, step.at);
            if (placement_.follows_owner() && is_exclusive(message.kind))
                directory_.moved(message.block, step.at);
            return;
        case NodeStep::What::data_ready:
            return data_ready(message.port, step.at);
        case NodeStep::What::looked_up:
            return directory_.looked_up(message.block, step.at);
        case NodeStep::What::replied:
            return replied(message.port, step.at);
        case NodeStep::What::finished:
            return nodes_[step.node]->finish(message.block,
                                             message.kind == MessageKind::read_exclusive, step.at);
    }
}

Message Nodes::message(ProcessorId port) const {
    const Request& request = head(port);
    const TransactionKind kind = transactions_[port].kind;
    Message message;
    message.kind = is_read(kind) ? MessageKind::read : MessageKind::read_exclusive;
    message.cause = kind;
    message.activity = request.activity;
    message.port = port;
    message.block =
        kind == TransactionKind::write_back ? request.address : block_of(request.address);
    return message;
}

void Nodes::path_taken(ProcessorId port, Time at) {
    const TransactionKind kind = transactions_[port].kind;
    if (is_io(kind)) return access_device(port, at);
    Request request = head(port);
    request.kind = kind;
    const Time arrives = at + times_.request(request);
    const auto node = static_cast<NodeId>(node_of(port));
    const bool write_back = kind == TransactionKind::write_back;
    steps_.add(arrives, write_back ? NodeStep::What::written_back : NodeStep::What::arrived,
               message(port), node);
    if (!write_back) return ports_[port].port->granted(request, at);
    count(port, request, at);
    pop(port);
}

// The device takes the access when the request is on its way.
void Nodes::access_device(ProcessorId port, Time at) {
    const Request request = head(port);
    const bool reads = request.kind == TransactionKind::io_read;
    const DeviceReply reply =
        reads ? devices_.read(request.address, request.size, at)
              : devices_.write(request.address, request.size, request.value, at);
    if (!reads) {
        count(port, request, at);
        pop(port);
        return ports_[port].port->granted_and_answered(request, reply.answered, false, at);
    }
    ports_[port].port->granted(request, at);
    transactions_[port].answered = reply.answered;
    transactions_[port].io_value = reply.value;
    steps_.add(times_.device_ready(at, reply.delay), NodeStep::What::data_ready, message(port));
}

void Nodes::reply(ProcessorId port, bool with_line, unsigned hops, Supplier supplier, Time ready) {
    transactions_[port].with_line = with_line;
    transactions_[port].hops = static_cast<std::uint8_t>(hops);
    transactions_[port].supplier = supplier;
    steps_.add(ready, NodeStep::What::data_ready, message(port));
}

// Only a store to a line that the port has gets a reply without data.
void Nodes::data_ready(ProcessorId port, Time at) {
    Request request = head(port);
    const TransactionKind kind = transactions_[port].kind;
    const bool io = is_io(kind);
    request.kind = io || is_read(kind) || kind == TransactionKind::locked_read ? kind
                   : transactions_[port].with_line ? TransactionKind::read_exclusive
                                                   : TransactionKind::upgrade;
    BusUse use = use_of(port, request, at, 0);
    use.posted = at;
    use.reply = true;
    const Time duration = request.kind == TransactionKind::upgrade
                              ? clock_.cycles(config_.request_cycles)
                              : times_.reply(request);
    const Time start = resources_.use(resources_.way(port), at, duration, use);
    steps_.add(start + duration + times_.synchronise(), NodeStep::What::replied, message(port));
}

void Nodes::replied(ProcessorId port, Time at) {
    const Message done = message(port);
    const Transaction transaction = transactions_[port];
    const Request request = head(port);
    const auto node = static_cast<NodeId>(node_of(port));
    Port& requester = *ports_[port].port;
    count(port, request, at);
    if (transaction.with_line) report_miss(port, request, at);
    pop(port);
    Time others_from = at;
    if (is_io(request.kind)) {
        requester.answered(request, transaction.answered, false, at);
        requester.replied(request, transaction.io_value, at);
        return;
    }
    if (is_store(request.kind)) {
        others_from = store(port, request, at);
    } else {
        const bool locks = request.kind == TransactionKind::locked_read;
        if (locks)
            candidates_.locks.begin(port, line_of(request.address), true, candidates_.requests);
        requester.answered(request, true, !locks && !nodes_[node]->owns(port, request.address), at);
        others_from = requester.replied(request, 0, at);
    }
    if (others_from > at)
        steps_.add(clock_.edge_at_or_after(others_from), NodeStep::What::finished, done, node);
    else
        nodes_[node]->finish(done.block, done.kind == MessageKind::read_exclusive, at);
}

// No other port has the line now. Returns when others may take it.
Time Nodes::store(ProcessorId port, Request request, Time at) {
    Port& requester = *ports_[port].port;
    const std::optional<TransactionKind> kind = requester.needs(request, at);
    const bool with_line = kind == TransactionKind::read_exclusive;
    if (!kind || (!with_line && kind != TransactionKind::upgrade))
        impossible("port {} needs another transaction to store to {:#x}", port, request.address);
    request.kind = *kind;
    write(request, at);
    requester.answered(request, true, false, at);
    return with_line ? requester.replied(request, 0, at) : at;
}

// Processors may have executed a line that they do not have any more, in their prefetch queues.
void Nodes::write(const Request& request, Time at) {
    if (code_watch_.covers(request.address, request.size)) roll_back_line(request.address, at, 0);
    memory_.write(request.address, request.size, request.value);
    code_watch_.written(request.address, request.size);
}

void Nodes::count(ProcessorId port, const Request& request, Time at) {
    PortCounts& counts = ports_[port].counts;
    const Transaction& transaction = transactions_[port];
    const bool miss = !is_io(request.kind) && transaction.with_line;
    counts.cache_misses += miss;
    counts.far_misses += miss && transaction.hops > 0;
    counts.stores += is_store(request.kind) && !is_io(request.kind);
    counts.waited += at - request.posted;
}

void Nodes::report_miss(ProcessorId port, const Request& request, Time at) {
    const Transaction& transaction = transactions_[port];
    Miss miss;
    miss.posted = request.posted;
    miss.arrived = at;
    miss.processor = port;
    miss.kind = is_store(request.kind) ? TransactionKind::read_exclusive : request.kind;
    miss.activity = request.activity;
    miss.supplier = transaction.supplier;
    miss.links = transaction.hops;
    miss.line = line_of(request.address);
    miss.home = placement_.home(miss.line);
    observer_.missed(miss);
}

void Nodes::pop(ProcessorId port) {
    ports_[port].queue.pop_front();
    under_way_.remove(port);
    note_head(port);
}

// A write-back of the line that waits in the port's queue is dropped: the snooped transaction
// takes the line.
Snooped Nodes::snoop(ProcessorId port, TransactionKind kind, Address line, Time now) {
    Snooped answer = ports_[port].port->snoop(kind, line, is_store(kind), now);
    RequestQueue& queue = ports_[port].queue;
    const std::size_t place = queue.find_first(TransactionKind::write_back, line);
    if (place == RequestQueue::kNone || (place == 0 && under_way_.contains(port))) return answer;
    queue.erase(place);
    note_head(port);
    answer.supplies = true;
    return answer;
}

bool Nodes::needs_line(ProcessorId port, Time now) {
    const Request& request = head(port);
    if (!is_store(request.kind)) return true;
    return ports_[port].port->needs(request, now) != TransactionKind::upgrade;
}

}  // namespace symsim
