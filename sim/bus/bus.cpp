// SPDX-License-Identifier: MIT
#include "sim/bus/bus.h"

#include <algorithm>

#include "sim/base/failure.h"

namespace symsim {

namespace {
// After these, no other cache has the line as it was.
bool takes_line(Kind kind) {
    return is_store(kind) || kind == Kind::locked_read;
}
std::uint32_t low_bytes(std::uint32_t value, unsigned size) {
    return size == 4 ? value : value & ((1u << 8 * size) - 1);
}
}  // namespace

Bus::Bus(const BusConfig& config, Memory& memory, WriteWatch& code, DeviceSpace& devices,
         Observer& observer)
    : config_(config),
      clock_(config.clock_period),
      memory_(memory),
      presence_(memory.size(), config.line_bytes),
      code_(code),
      devices_(devices),
      observer_(observer) {}

void Bus::attach(BusPort& port) {
    ports_.push_back(&port);
    queues_.emplace_back();
    heads_.push_back({});
    eligible_.push_back(kNever);
    if (ports_.size() > kMaxProcessors) impossible("{} ports on one bus", ports_.size());
    if (port.decides_at_grant()) deciding_ |= std::uint64_t{1} << (ports_.size() - 1);
    for (std::size_t kind = 0; kind < kKinds; ++kind)
        if (port.watches(static_cast<Kind>(kind)))
            watching_[kind] |= std::uint64_t{1} << (ports_.size() - 1);
}

void Bus::post(ProcessorId port, const Request& request) {
    if (request.kind == Kind::copy_back) {
        queues_[port].insert(queues_[port].begin(), request);
        ++copy_backs_;
    } else {
        queues_[port].push_back(request);
        if (queues_[port].size() > 1) return;  // its turn comes behind those before it
    }
    head_changed(port);
    come_sooner(std::max(free_at_, eligible_[port]));
}

Kind Bus::withdraw(ProcessorId port) {
    const Kind kind = queues_[port].back().kind;
    queues_[port].pop_back();
    if (queues_[port].empty()) head_changed(port);
    return kind;
}

void Bus::come_sooner(Time edge) {
    if (edge >= next_edge_) return;
    next_edge_ = edge;
    if (sooner_) sooner_();
}

void Bus::hold(ProcessorId port, Address line, Time at) {
    locks_.push_back({port, line, false});
    locks_changed();
    look_again(at);
}

void Bus::release(ProcessorId port, Address line, bool on_bus, Time at) {
    unlock(port, line, on_bus);
    look_again(at);
}

// Who could not be granted may be now.
void Bus::look_again(Time at) {
    come_sooner(find_next_edge(at, std::max(free_at_, clock_.edge_after(at))));
}

void Bus::code_written(Address address, Time at, ProcessorId first) {
    for (ProcessorId port = 0; port < ports_.size(); ++port)
        ports_[port]->code_written(address, port < first ? at + 1 : at);
}

void Bus::edge(Time at) {
    if (at <= last_edge_) impossible("bus edge at {} ps behind one at {} ps", at, last_edge_);
    last_edge_ = at;
    if (at >= free_at_) {
        if (!reading_.empty() && reading_.top().ready <= at)
            reply(at);
        else
            arbitrate(at);
    }
    next_edge_ = find_next_edge(at, std::max(free_at_, at + clock_.period()));
}

void Bus::head_changed(ProcessorId port) {
    const std::uint64_t bit = std::uint64_t{1} << port;
    held_ &= ~bit;
    if (queues_[port].empty()) {
        pending_ &= ~bit;
        eligible_[port] = kNever;
        return;
    }
    pending_ |= bit;
    const Request& head = queues_[port].front();
    heads_[port] = {line_of(head.address), head.kind};
    if (!locks_.empty() && held_by_lock(port)) held_ |= bit;
    eligible_[port] = clock_.edge_after(head.posted) + clock_.cycles(config_.arbitration_cycles);
}

void Bus::locks_changed() {
    held_ = 0;
    kept_at_ = -1;
    owners_ = 0;
    for (const Lock& lock : locks_) owners_ |= std::uint64_t{1} << lock.owner;
    if (locks_.empty()) return;
    for (std::uint64_t left = pending_; left != 0; left &= left - 1) {
        const auto port = static_cast<ProcessorId>(__builtin_ctzll(left));
        if (held_by_lock(port)) held_ |= std::uint64_t{1} << port;
    }
}

Time Bus::find_unavailable(ProcessorId port, Time at) const {
    const auto [line, kind] = heads_[port];
    Time until = 0;
    for (const Unavailable& u : unavailable_)
        if (u.but_for == port) {
            if (is_store(kind) && u.arrives > at) until = std::max(until, u.arrives);
        } else if (u.line == line && u.until > at && (takes_line(kind) || !u.to_takers_only)) {
            until = std::max(until, u.until);
        }
    return until;
}

// Readers share; a line that changes owner, or comes from one, is for nobody else until it is
// there and memory has it.
void Bus::on_its_way(ProcessorId port, const Request& request, bool from_owner) {
    const bool shared = !takes_line(request.kind) && !from_owner;
    unavailable_.push_back({line_of(request.address), kNever, port, shared, kNever});
}

void Bus::arrived(ProcessorId port, Address line, Time at, Time others_from) {
    const auto coming =
        std::find_if(unavailable_.begin(), unavailable_.end(), [=](const Unavailable& u) {
            return u.but_for == port && u.line == line && u.until == kNever;
        });
    if (coming == unavailable_.end())
        impossible("line {:#x} arrives at port {} and was not on its way", line, port);
    coming->arrives = at;
    coming->until = clock_.edge_at_or_after(others_from);
    if (!coming->to_takers_only)
        coming->until =
            std::max(coming->until, at + clock_.cycles(config_.line_unavailable_cycles));
}

// The line as its last owner left it, if that waits to copy it back. Memory gets it by this reply.
bool Bus::supply_from_copy_back(ProcessorId but_for, Address line) {
    if (copy_backs_ == 0) return false;
    for (ProcessorId port = 0; port < ports_.size(); ++port) {
        std::vector<Request>& queue = queues_[port];
        const auto waits = std::find_if(queue.begin(), queue.end(), [=](const Request& r) {
            return r.kind == Kind::copy_back && r.address == line;
        });
        if (port == but_for || waits == queue.end()) continue;
        const bool first = waits == queue.begin();
        queue.erase(waits);
        --copy_backs_;
        if (first) head_changed(port);
        return true;
    }
    return false;
}

void Bus::forget_available(Time at) {
    unavailable_.erase(std::remove_if(unavailable_.begin(), unavailable_.end(),
                                      [=](const Unavailable& u) { return u.until <= at; }),
                       unavailable_.end());
}

// The owner of a lock goes first, so that its sequence is carried to completion. Then ports take
// turns, from the one behind the last that was granted.
void Bus::arbitrate(Time at) {
    for (const Lock& lock : locks_)
        if (eligible_[lock.owner] <= at && may_be_granted(lock.owner, at)) {
            if (!grant(lock.owner, at)) arbitrate(at);
            return;
        }
    const ProcessorId first = config_.arbitration == Arbitration::round_robin ? turn_ : 0;
    const std::uint64_t before_first = (std::uint64_t{1} << first) - 1;
    for (std::uint64_t left : {pending_ & ~before_first, pending_ & before_first})
        for (; left != 0; left &= left - 1) {
            const auto port = static_cast<ProcessorId>(__builtin_ctzll(left));
            if (eligible_[port] > at) continue;
            if (may_be_granted(port, at)) {
                turn_ = port + 1 < ports_.size() ? port + 1 : 0;
                if (!grant(port, at)) arbitrate(at);
                return;
            }
            // It keeps its turn, and those behind wait with it.
            if (config_.locked_request == LockedRequest::keep_turn) {
                if (held_ >> port & 1) kept_at_ = at;
                return;
            }
        }
}

// False: the bus was not needed after all.
bool Bus::grant(ProcessorId port, Time at) {
    Request request = queues_[port].front();
    queues_[port].erase(queues_[port].begin());
    head_changed(port);
    if (request.kind == Kind::copy_back) --copy_backs_;
    if (deciding_ >> port & 1 && is_store(request.kind) && !is_io(request.kind)) {
        const std::optional<Kind> needed = ports_[port]->needs(request, at);
        if (!needed) return false;
        request.kind = *needed;
    }
    ++grants_;
    last_grant_ = at;
    const Time held = occupancy(request);
    free_at_ = at + held;

    tell_use(port, request, at, held, request.posted, false);
    perform(port, request, at);
    return true;
}

// What a transaction does takes effect at its grant: first the snoops, which may make processors
// that ran ahead go over their past again, and see memory as it was; then memory.
void Bus::perform(ProcessorId port, const Request& request, Time at) {
    std::uint32_t io_value = 0;
    Time device_delay = 0;
    bool answered = true;
    Snooped snooped;
    if (is_io(request.kind)) {
        const DeviceReply reply =
            request.kind == Kind::io_read
                ? devices_.read(request.address, request.size, at)
                : devices_.write(request.address, request.size, request.value, at);
        io_value = reply.value;
        device_delay = reply.delay;
        answered = reply.answered;
    } else if (request.kind == Kind::unlock) {
        unlock(port, request.address, true);
        forget_available(at);
        if (config_.line_unavailable_cycles > 0)
            unavailable_.push_back({request.address,
                                    at + clock_.cycles(config_.line_unavailable_cycles), kNobody,
                                    false, 0});
    } else {
        const bool changes =
            is_store(request.kind) &&
            memory_.read(request.address, request.size) != low_bytes(request.value, request.size);
        snooped = snoop(port, request, changes, at);
        if (has_reply(request.kind)) {
            snooped.supplies |= supply_from_copy_back(port, line_of(request.address));
            if (config_.filter_snoops) presence_.add(request.address, port);
        }
        if (is_store(request.kind)) {
            if (code_.covers(request.address, request.size))
                ports_[port]->code_written(request.address, at);
            memory_.write(request.address, request.size, request.value);
            code_.written(request.address, request.size);
        }
        if (request.kind == Kind::locked_read) {
            locks_.push_back({port, request.address, true});
            locks_changed();
        }
        if (config_.lines_have_owners && has_reply(request.kind)) {
            forget_available(at);
            on_its_way(port, request, snooped.supplies);
        }
    }
    ports_[port]->granted(request, answered, snooped.shares, at);
    if (has_reply(request.kind)) {
        const Time memory = clock_.cycles(config_.memory_latency_cycles +
                                          (snooped.supplies ? config_.owner_supply_cycles : 0));
        const Time ready =
            at + clock_.cycles(config_.request_cycles) + std::max(memory, device_delay);
        reading_.push({clock_.edge_at_or_after(ready), grants_, port, request, io_value});
    }
}

Snooped Bus::snoop(ProcessorId port, const Request& request, bool changes, Time at) {
    Snooped all;
    std::uint64_t others = watching_[index(request.kind)] & ~(std::uint64_t{1} << port);
    if (config_.filter_snoops) others &= presence_.of(request.address);
    for (; others != 0; others &= others - 1) {
        const auto other = static_cast<ProcessorId>(__builtin_ctzll(others));
        const Snooped one = ports_[other]->snoop(request.kind, request.address, changes, at);
        all.shares |= one.shares;
        all.supplies |= one.supplies;
        if (config_.filter_snoops && one.absent) presence_.remove(request.address, other);
    }
    return all;
}

void Bus::reply(Time at) {
    const Reading done = reading_.top();
    reading_.pop();
    const Request& request = done.request;
    const Time held = data_time(request.kind == Kind::read_own ? config_.line_bytes : request.size);
    free_at_ = at + held;

    tell_use(done.port, done.request, at, held, done.ready, true);
    const Time arrives = at + held + clock_.cycles(config_.synchronise_cycles);
    const Time others_from = ports_[done.port]->replied(request, done.io_value, arrives);
    if (config_.lines_have_owners && !is_io(request.kind))
        arrived(done.port, line_of(request.address), arrives, others_from);
}

void Bus::tell_use(ProcessorId port, const Request& request, Time at, Time held, Time posted,
                   bool reply) {
    BusUse use;
    use.start = at;
    use.duration = held;
    use.posted = posted;
    use.processor = port;
    use.kind = request.kind;
    use.activity = request.activity;
    use.reply = reply;
    use.address = request.address;
    use.size = request.size;
    use.locked = request.kind == Kind::locked_read || owns_lock(port);
    observer_.used(use);
}

// A port may have locked a line again in its cache while the unlock of before waits for the bus.
void Bus::unlock(ProcessorId port, Address line, bool on_bus) {
    const auto lock = std::find_if(locks_.begin(), locks_.end(), [=](const Lock& l) {
        return l.owner == port && l.line == line && l.on_bus == on_bus;
    });
    if (lock == locks_.end())
        impossible("port {} unlocks {:#x}, which it does not hold", port, line);
    locks_.erase(lock);
    locks_changed();
}

Time Bus::occupancy(const Request& request) const {
    switch (request.kind) {
        case Kind::unlock:
            return clock_.cycles(config_.unlock_cycles);
        case Kind::store:
        case Kind::locked_store:
        case Kind::io_write:
            return clock_.cycles(config_.store_cycles);
        case Kind::copy_back:
            return clock_.cycles(config_.request_cycles) + data_time(request.size);
        default:
            return clock_.cycles(config_.request_cycles);
    }
}

// Requests held off for a locked line become eligible by an unlock, which is an edge of its own;
// those for an unavailable line by time, or behind the reply that brings it. What waits behind a
// turn that is kept for a locked line waits for the unlock, too: only owners of locks, and requests
// that come to be old enough, can go before.
Time Bus::find_next_edge(Time at, Time soonest) const {
    Time next = reading_.empty() ? kNever : reading_.top().ready;
    // Whose turn it is waits longest, most often.
    const std::uint64_t waiting = pending_ & ~held_;
    const std::uint64_t before_turn = (std::uint64_t{1} << turn_) - 1;
    for (std::uint64_t left : {waiting & ~before_turn, waiting & before_turn})
        for (; left != 0 && next > soonest; left &= left - 1) {
            const auto port = static_cast<ProcessorId>(__builtin_ctzll(left));
            const Time from = eligible_[port];
            if (kept_at_ == at && from <= at && !owns_lock(port)) continue;
            next = std::min(next, std::max(from, unavailable_until(port, std::max(from, soonest))));
        }
    return next == kNever ? kNever : std::max(next, soonest);
}

}  // namespace symsim
