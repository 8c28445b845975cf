// SPDX-License-Identifier: MIT
// The bus: grants, what a transaction does at its grant, replies, and the search for the next edge.
#include "sim/bus/bus.h"

#include <algorithm>

#include "sim/base/failure.h"

namespace symsim {

Bus::Bus(const BusConfig& config, Memory& memory, CodePageWatch& code, DeviceSpace& devices,
         Observer& observer)
    : Interconnect(memory, code),
      config_(config),
      clock_(config.clock_period),
      devices_(devices),
      observer_(observer),
      arbiter_(config),
      candidates_(config),
      write_backs_(config.line_bytes),
      snoops_(memory, config.line_bytes, config.filter_snoops),
      arbitration_time_(clock_.cycles(config.arbitration_cycles)),
      width_shift_(static_cast<unsigned>(__builtin_ctz(config.width_bytes))) {
    fix_occupancies();
}

// How long the request of each kind occupies the bus. A reply occupies it for its data_time().
void Bus::fix_occupancies() {
    occupancies_.fill(clock_.cycles(config_.request_cycles));
    occupancies_[index(TransactionKind::unlock)] = clock_.cycles(config_.unlock_cycles);
    for (const TransactionKind kind :
         {TransactionKind::store, TransactionKind::locked_store, TransactionKind::io_write})
        occupancies_[index(kind)] = clock_.cycles(config_.store_cycles);
}

void Bus::attach(Port& port) {
    Interconnect::attach(port);
    snoops_.attach(port);
    if (port.decides_at_grant()) deciding_.add(static_cast<ProcessorId>(ports_.size() - 1));
}

void Bus::on_head_posted(ProcessorId port) {
    snoops_.prefetch(head(port).address);
    on_new_head(port);
    schedule(std::max(free_at_, candidates_.requests.eligible(port)));
}

void Bus::on_write_back_posted(ProcessorId port) {
    write_backs_.posted(port, head(port).address);
}

bool Bus::supply_from_write_back(ProcessorId destination, Address line) {
    const auto found = write_backs_.find(
        destination, line,
        [this](ProcessorId port) -> const RequestQueue& { return ports_[port].queue; });
    if (!found) return false;
    RequestQueue& queue = ports_[found->port].queue;
    queue.erase(found->place);
    write_backs_.gone(found->port, line, queue);
    if (found->place == 0) on_head_removed(found->port);
    return true;
}

void Bus::lock_in_cache(ProcessorId port, Address line, Time at) {
    lock(port, line, false);
    reschedule_edge(at);
}

void Bus::release(ProcessorId port, Address line, bool on_bus, Time at) {
    if (candidates_.locks.all_held()) report_hold(at);
    unlock(port, line, on_bus);
    reschedule_edge(at);
}

// A port that could not be granted the bus may be granted it now.
void Bus::reschedule_edge(Time at) {
    schedule(find_next_edge(at, std::max(free_at_, clock_.edge_after(at))));
}

void Bus::advance(Time at) {
    if (at <= last_edge_) impossible("bus edge at {} ps after one at {} ps", at, last_edge_);
    last_edge_ = at;
    if (at >= free_at_) {
        if (replies_.next_ready() <= at)
            reply(at);
        else
            arbitrate(at);
    }
    next_event_ = find_next_edge(at, std::max(free_at_, at + clock_.period()));
}

void Bus::lock(ProcessorId owner, Address line, bool on_bus) {
    candidates_.locks.begin(owner, line, on_bus, candidates_.requests);
    arbiter_.locks_changed();
}

void Bus::unlock(ProcessorId owner, Address line, bool on_bus) {
    candidates_.locks.end(owner, line, on_bus, candidates_.requests);
    arbiter_.locks_changed();
}

[[gnu::always_inline]] inline void Bus::arbitrate(Time at) {
    for (;;) {
        const ProcessorId port = arbiter_.choose(candidates_, at);
        if (port == kNobody || grant(port, at)) return;
    }
}

// Grants the port's oldest request. False: the request turned out not to need the bus, because
// the port could make its store in its own cache.
[[gnu::always_inline]] inline bool Bus::grant(ProcessorId port, Time at) {
    if (candidates_.locks.all_held()) report_hold(at);
    RequestQueue& queue = ports_[port].queue;
    Request request = queue.front();
    queue.pop_front();
    on_head_removed(port);
    if (request.kind == TransactionKind::write_back)
        write_backs_.gone(port, request.address, queue);
    if (deciding_.contains(port) && is_store(request.kind) && !is_io(request.kind)) {
        const std::optional<TransactionKind> needed = ports_[port].port->needs(request, at);
        if (!needed) return false;
        request.kind = *needed;
    }
    last_grant_ = at;
    const Time occupancy_time = occupancy(request);
    free_at_ = at + occupancy_time;

    report_use(port, request, at, occupancy_time, request.posted, false);
    perform(port, request, at);
    return true;
}

[[gnu::always_inline]] inline void Bus::perform(ProcessorId port, const Request& request, Time at) {
    if (is_io(request.kind)) return access_device(port, request, at);
    if (has_reply(request.kind)) return read_memory(port, request, at);
    if (request.kind != TransactionKind::unlock) return write_memory(port, request, at);
    end_lock(port, request.address, at);
    ports_[port].port->granted(request, true, false, at);
}

[[gnu::noinline]] void Bus::end_lock(ProcessorId port, Address address, Time at) {
    const Address line = line_of(address);
    unlock(port, line, true);
    candidates_.lines.unlocked(line, at, at + clock_.cycles(config_.line_unavailable_cycles));
}

// A transaction takes effect at its grant. Snoops come first: they may roll back processors that
// ran ahead, and these execute again on memory as it was. Memory is written after that.
[[gnu::always_inline]] inline void Bus::write_memory(ProcessorId port, const Request& request,
                                                     Time at) {
    if (deciding_.contains(port)) take_from_others(port, request, at);
    const Snooped snooped = snoops_.snoop(port, request, at);
    snoops_.end_silence(request.address);
    if (is_store(request.kind)) write(port, request, at);
    if (candidates_.memory.can_be_busy())
        candidates_.memory.accept(request.kind, request.address, at);
    if (request.ends_lock) end_lock(port, request.address, at);
    ports_[port].port->granted(request, true, snooped.shares, at);
}

// What a store does to other ports' copies before they snoop it. An upgrade drops a write-back of
// the line that waits: this port has the same bytes, owns the line from now on, and will write it
// back. A store that installs its line is first snooped as a read.
[[gnu::noinline]] void Bus::take_from_others(ProcessorId port, const Request& request, Time at) {
    if (request.kind == TransactionKind::upgrade)
        supply_from_write_back(port, line_of(request.address));
    else if (ports_[port].port->installs_stored(request))
        snoops_.snoop_installed(port, request, at);
}

[[gnu::noinline]] void Bus::read_memory(ProcessorId port, const Request& request, Time at) {
    Snooped snooped = snoops_.snoop_read(port, request, at);
    snooped.supplies |= supply_from_write_back(port, line_of(request.address));
    if (is_store(request.kind)) write(port, request, at);
    if (request.kind == TransactionKind::locked_read) lock(port, request.address, true);
    if (config_.lines_have_owners)
        candidates_.lines.depart(port, request.kind, line_of(request.address), snooped.supplies,
                                 at);
    ports_[port].port->granted(request, true, snooped.shares, at);
    const std::uint32_t cycles = config_.request_cycles + config_.memory_latency_cycles +
                                 (snooped.supplies ? config_.owner_supply_cycles : 0);
    const Time waits = candidates_.memory.can_be_busy()
                           ? candidates_.memory.accept(request.kind, request.address, at)
                           : 0;
    replies_.add({at + clock_.cycles(cycles) + waits, port, 0, request});
}

inline void Bus::write(ProcessorId port, const Request& request, Time at) {
    if (code_watch_.may_cover(request.address, request.size)) return write_code(port, request, at);
    memory_.write(request.address, request.size, request.value);
}

[[gnu::noinline]] void Bus::write_code(ProcessorId port, const Request& request, Time at) {
    if (code_watch_.covers(request.address, request.size))
        ports_[port].port->roll_back_line(request.address, at);
    memory_.write(request.address, request.size, request.value);
    code_watch_.written(request.address, request.size);
}

[[gnu::noinline]] void Bus::access_device(ProcessorId port, const Request& request, Time at) {
    const bool reads = request.kind == TransactionKind::io_read;
    const DeviceReply reply =
        reads ? devices_.read(request.address, request.size, at)
              : devices_.write(request.address, request.size, request.value, at);
    ports_[port].port->granted(request, reply.answered, false, at);
    if (!reads) return;
    const Time memory = clock_.cycles(config_.memory_latency_cycles);
    const Time ready = at + clock_.cycles(config_.request_cycles) + std::max(memory, reply.delay);
    replies_.add({clock_.edge_at_or_after(ready), port, reply.value, request});
}

void Bus::reply(Time at) {
    if (candidates_.locks.all_held()) report_hold(at);
    const PendingReplies::Reply done = replies_.take_next();
    const Request& request = done.request;
    const Time occupancy_time = data_time(
        request.kind == TransactionKind::read_exclusive ? config_.line_bytes : request.size);
    free_at_ = at + occupancy_time;

    report_use(done.port, done.request, at, occupancy_time, done.ready, true);
    const Time arrives = at + occupancy_time + clock_.cycles(config_.synchronise_cycles);
    const Time others_from = ports_[done.port].port->replied(request, done.io_value, arrives);
    if (config_.lines_have_owners && !is_io(request.kind))
        candidates_.lines.arrive(done.port, line_of(request.address), arrives,
                                 clock_.edge_at_or_after(others_from),
                                 arrives + clock_.cycles(config_.line_unavailable_cycles));
}

inline void Bus::report_use(ProcessorId port, const Request& request, Time at, Time occupancy_time,
                            Time posted, bool reply) {
    BusUse use;
    use.start = at;
    use.duration = occupancy_time;
    use.posted = posted;
    use.processor = port;
    use.kind = request.kind;
    use.activity = request.activity;
    use.reply = reply;
    use.address = request.address;
    use.size = request.size;
    use.locked = request.kind == TransactionKind::locked_read || candidates_.locks.owns_any(port);
    observer_.used(use);
}

// Whether the bus certainly has something to do at `soonest`: a reply is ready, or the port whose
// turn is next is eligible. That port has usually waited longest, so the test usually suffices.
inline bool Bus::used_at(Time soonest) const {
    if (replies_.next_ready() <= soonest) return true;
    const ProcessorSet requesting = candidates_.unblocked();
    if (requesting.empty()) return false;
    const ProcessorId port = requesting.first_in_turn(arbiter_.turn());
    return candidates_.requests.eligible(port) <= soonest &&
           !candidates_.may_be_unavailable(port) && !candidates_.refused_by_memory(port, soonest);
}

// When the next reply is ready or the next request eligible, if no request has to wait for an
// unavailable line or for a kept turn. The search stops at the first time not after `soonest`.
inline Time Bus::earliest_use(Time soonest) const {
    Time next = replies_.next_ready();
    for (const ProcessorId port : candidates_.unblocked()) {
        if (next <= soonest) break;
        next = std::min(next, candidates_.requests.eligible(port));
    }
    return next;
}

// Like earliest_use(), but requests may have to wait for other reasons. Blocked requests for a
// locked line can be granted after the unlock, which causes an edge of its own. Requests for an
// unavailable line can be granted when its time has passed or after the reply that brings the line.
// If the arbiter kept a turn for a locked line at `at`, all eligible requests wait for the unlock
// except those of lock owners, and those that memory refused: they may be earlier in the rotation.
// Requests that become eligible after `at` may be granted earlier.
Time Bus::earliest_use_with_waits(Time at, Time soonest) const {
    Time next = replies_.next_ready();
    for (const ProcessorId port : candidates_.unblocked()) {
        if (next <= soonest) break;
        const Time from = candidates_.requests.eligible(port);
        const bool waits_for_unlock = arbiter_.kept_turn(at) && from <= at &&
                                      !candidates_.locks.owns_any(port) &&
                                      !candidates_.refused_by_memory(port, at);
        if (from >= next || waits_for_unlock) continue;
        const Time available = candidates_.available_from(port, std::max(from, soonest));
        next = std::min(next, std::max({from, available, candidates_.accepted_from(port)}));
    }
    return next;
}

inline Time Bus::find_next_edge(Time at, Time soonest) const {
    if (!arbiter_.kept_turn(at) && used_at(soonest)) return soonest;
    const bool some_wait = arbiter_.kept_turn(at) || !candidates_.lines.none() ||
                           candidates_.memory.may_refuse(soonest);
    const Time next = some_wait ? earliest_use_with_waits(at, soonest) : earliest_use(soonest);
    return next == kNever ? kNever : std::max(next, soonest);
}

}  // namespace symsim
