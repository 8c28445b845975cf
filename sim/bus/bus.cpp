// SPDX-License-Identifier: MIT
// The bus: arbitration, grants, replies, address locks, and the search for the next edge. Lines in
// transit and write-backs are in bus_lines.cpp, orders of grants other than in turn in
// bus_order.cpp.
#include "sim/bus/bus.h"

#include <algorithm>

#include "sim/base/failure.h"

namespace symsim {

namespace {
std::uint32_t low_bytes(std::uint32_t value, unsigned size) {
    return size == 4 ? value : value & ((1u << 8 * size) - 1);
}
}  // namespace

Bus::Bus(const BusConfig& config, Memory& memory, CodePageWatch& code, DeviceSpace& devices,
         Observer& observer)
    : Interconnect(memory, code),
      config_(config),
      clock_(config.clock_period),
      snoop_filter_(memory.size(), config.line_bytes),
      devices_(devices),
      observer_(observer),
      controllers_(config),
      in_other_order_(config.arbitration == Arbitration::oldest ||
                      config.locked_class == LockedClass::low),
      arbitration_time_(clock_.cycles(config.arbitration_cycles)),
      width_shift_(static_cast<unsigned>(__builtin_ctz(config.width_bytes))) {
    eligible_.fill(kNever);
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
    const bool set_silent =
        config_.filter_snoops && port.watches(TransactionKind::read) && port.reads_become_silent();
    reads_become_silent_ = ports_.size() == 1 ? set_silent : reads_become_silent_ && set_silent;
    const auto number = static_cast<ProcessorId>(ports_.size() - 1);
    if (port.decides_at_grant()) deciding_.add(number);
    for (std::size_t kind = 0; kind < kTransactionKinds; ++kind)
        if (port.watches(static_cast<TransactionKind>(kind))) watching_[kind].add(number);
}

void Bus::on_head_posted(ProcessorId port) {
    snoop_filter_.prefetch(head(port).address);
    on_new_head(port);
    schedule(std::max(free_at_, eligible_[port]));
}

void Bus::lock_in_cache(ProcessorId port, Address line, Time at) {
    lock(port, line, false);
    reschedule_edge(at);
}

void Bus::release(ProcessorId port, Address line, bool on_bus, Time at) {
    if (bus_locked_) report_hold(at);
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
        if (!pending_replies_.empty() && pending_replies_.back().ready <= at)
            reply(at);
        else
            arbitrate(at);
    }
    next_event_ = find_next_edge(at, std::max(free_at_, at + clock_.period()));
}

// Adds the port to blocked_ or removes it, by the locks there are now.
[[gnu::noinline]] void Bus::block_if_locked(ProcessorId port) {
    blocked_.set(port, blocked_by_lock(port));
}

void Bus::block_all_locked() {
    note_bus_locked();
    for (const ProcessorId port : pending_) block_if_locked(port);
}

// A new lock blocks the ports whose oldest request is for its line, and unblocks none. Under
// hold_bus it can concern every port.
void Bus::lock(ProcessorId owner, Address line, bool on_bus) {
    locks_.push_back({owner, line, on_bus});
    owners_.add(owner);
    turn_kept_at_ = -1;
    if (locks_concern_all()) return block_all_locked();
    for (const ProcessorId port : (pending_ - blocked_).without(owner))
        if (lines_[port] == line) blocked_.add(port);
}

// An unlock concerns only ports that are blocked from its line. Under hold_bus it can concern every
// port.
//
// A port can own two locks of one line: it has locked the line again in its cache while the unlock
// of its earlier lock waits for the bus. `on_bus` tells the two apart.
void Bus::unlock(ProcessorId port, Address line, bool on_bus) {
    const auto lock = std::find_if(locks_.begin(), locks_.end(), [=](const Lock& l) {
        return l.owner == port && l.line == line && l.on_bus == on_bus;
    });
    if (lock == locks_.end())
        impossible("port {} unlocks {:#x}, which it does not hold", port, line);
    locks_.erase(lock);
    owners_ = {};
    for (const Lock& other : locks_) owners_.add(other.owner);
    turn_kept_at_ = -1;
    if (locks_concern_all()) return block_all_locked();
    if (locks_.empty()) blocked_ = {};
    for (const ProcessorId other : blocked_)
        if (lines_[other] == line) block_if_locked(other);
}

[[gnu::always_inline]] inline void Bus::arbitrate(Time at) {
    for (;;) {
        const ProcessorId port = choose(at);
        if (port == kNobody || grant(port, at)) return;
    }
}

// Chooses the port to grant, or kNobody. The owner of a lock goes first, so that its locked
// instruction is carried to completion. Then ports take turns: the rotation starts with the port
// after the last one that was granted in turn.
inline ProcessorId Bus::choose(Time at) {
    for (const Lock& lock : locks_)
        if (eligible_[lock.owner] <= at && may_be_granted(lock.owner, at)) return lock.owner;
    const ProcessorSet requesting = keeps_turn() ? pending_ : pending_ - blocked_;
    if (in_other_order_) return choose_in_other_order(requesting, at);
    return choose_in_turn(requesting, at);
}

// By slot classes, or by age.
[[gnu::noinline]] ProcessorId Bus::choose_in_other_order(ProcessorSet requesting, Time at) {
    const auto choose_of = [&](ProcessorSet ports) {
        return config_.arbitration == Arbitration::oldest ? choose_oldest(ports, at)
                                                          : choose_in_turn(ports, at);
    };
    if (config_.locked_class == LockedClass::same) return choose_of(requesting);
    const ProcessorSet low = locked_readers(requesting);
    const ProcessorId port = choose_of(requesting - low);
    return port != kNobody ? port : choose_of(low);
}

[[gnu::always_inline]] inline ProcessorId Bus::choose_in_turn(ProcessorSet requesting, Time at) {
    if (!(passed_over_ & requesting).empty()) {
        const ProcessorId port = choose_passed_over(requesting, at);
        if (port != kNobody) return port;
    }
    const ProcessorId first = config_.arbitration == Arbitration::round_robin ? turn_ : 0;
    ProcessorSet refused;
    for (const ProcessorId port : requesting.in_turn(first)) {
        if (eligible_[port] > at) continue;
        if (may_be_granted(port, at)) {
            if (!(refused | blocked_).empty()) pass_over(refused, port, at);
            turn_ = (port + 1) % kMaxProcessors;
            return port;
        }
        if (refused_by_memory(port, at)) {
            refused.add(port);
        } else if (keeps_turn()) {
            // The port keeps its turn, and the ports after it in the rotation wait with it.
            if (blocked_.contains(port)) turn_kept_at_ = at;
            return kNobody;
        }
    }
    return kNobody;
}

// Grants the port's oldest request. False: the request turned out not to need the bus, because
// the port could make its store in its own cache.
[[gnu::always_inline]] inline bool Bus::grant(ProcessorId port, Time at) {
    if (bus_locked_) report_hold(at);
    RequestQueue& queue = ports_[port].queue;
    Request request = queue.front();
    queue.pop_front();
    on_head_removed(port);
    if (request.kind == TransactionKind::write_back) write_back_gone(port, request.address);
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
    unlock(port, line_of(address), true);
    forget_available(at);
    if (config_.line_unavailable_cycles > 0)
        make_unavailable({line_of(address), at + clock_.cycles(config_.line_unavailable_cycles),
                          kNobody, false, 0});
}

// A transaction takes effect at its grant. Snoops come first: they may roll back processors that
// ran ahead, and these execute again on memory as it was. Memory is written after that.
[[gnu::always_inline]] inline void Bus::write_memory(ProcessorId port, const Request& request, Time at) {
    Snooped snooped;
    if (deciding_.contains(port) && ports_[port].port->installs_stored(request))
        snoop_installed(port, request, at);
    if (const ProcessorSet others = snoopers(port, request); !others.empty())
        snooped = snoop(others, request, at);
    if (reads_become_silent_) snoop_filter_.clear_silent(request.address);
    if (is_store(request.kind)) write(port, request, at);
    if (controllers_.can_be_busy()) controllers_.accept(request, at);
    if (request.ends_lock) end_lock(port, request.address, at);
    ports_[port].port->granted(request, true, snooped.shares, at);
}

// A store that installs its line is first snooped as a read: the other caches share the line with
// the port from now on.
[[gnu::noinline]] void Bus::snoop_installed(ProcessorId port, Request request, Time at) {
    request.kind = TransactionKind::read;
    if (const ProcessorSet others = snoopers(port, request); !others.empty())
        snoop(others, request, at);
    if (config_.filter_snoops) snoop_filter_.add(request.address, port);
}

[[gnu::noinline]] void Bus::read_memory(ProcessorId port, const Request& request, Time at) {
    Snooped snooped = snoop_read(port, request, at);
    snooped.supplies |= supply_from_write_back(port, line_of(request.address));
    if (config_.filter_snoops) snoop_filter_.add(request.address, port);
    if (is_store(request.kind)) write(port, request, at);
    if (request.kind == TransactionKind::locked_read) lock(port, request.address, true);
    if (config_.lines_have_owners) mark_in_transit(port, request, snooped.supplies, at);
    ports_[port].port->granted(request, true, snooped.shares, at);
    const std::uint32_t cycles = config_.request_cycles + config_.memory_latency_cycles +
                                 (snooped.supplies ? config_.owner_supply_cycles : 0);
    const Time waits = controllers_.can_be_busy() ? controllers_.accept(request, at) : 0;
    reply_later(port, request, at + clock_.cycles(cycles) + waits, 0);
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
    reply_later(port, request, clock_.edge_at_or_after(ready), reply.value);
}

// Puts a reply into pending_replies_. `ready` is an edge. Most replies become ready in the order of
// their grants, so the new one usually goes to the front.
void Bus::reply_later(ProcessorId port, const Request& request, Time ready,
                      std::uint32_t io_value) {
    auto before = pending_replies_.begin();
    while (before != pending_replies_.end() && before->ready > ready) ++before;
    pending_replies_.insert(before, {ready, port, io_value, request});
}

bool Bus::changes_memory(const Request& request) const {
    return is_store(request.kind) &&
           memory_.read(request.address, request.size) != low_bytes(request.value, request.size);
}

// Snoops a read. No cache snoops a fetch or read of a silent line. Once a line's fetch or read has
// been snooped, the line is silent until another kind of transaction reaches it.
inline Snooped Bus::snoop_read(ProcessorId port, const Request& request, Time at) {
    const bool only_reads = is_read(request.kind);
    if (reads_become_silent_ && only_reads && snoop_filter_.silent(request.address)) return {};
    Snooped snooped;
    if (const ProcessorSet others = snoopers(port, request); !others.empty())
        snooped = snoop(others, request, at);
    if (!reads_become_silent_) return snooped;
    if (only_reads)
        snoop_filter_.set_silent(request.address);
    else
        snoop_filter_.clear_silent(request.address);
    return snooped;
}

Snooped Bus::snoop(ProcessorSet others, const Request& request, Time at) {
    Snooped all;
    const bool changes = changes_memory(request);
    for (const ProcessorId other : others) {
        const Snooped one = ports_[other].port->snoop(request.kind, request.address, changes, at);
        all.shares |= one.shares;
        all.supplies |= one.supplies;
        if (config_.filter_snoops && one.absent) snoop_filter_.remove(request.address, other);
    }
    return all;
}

void Bus::reply(Time at) {
    if (bus_locked_) report_hold(at);
    const PendingReply done = pending_replies_.back();
    pending_replies_.pop_back();
    const Request& request = done.request;
    const Time occupancy_time = data_time(
        request.kind == TransactionKind::read_exclusive ? config_.line_bytes : request.size);
    free_at_ = at + occupancy_time;

    report_use(done.port, done.request, at, occupancy_time, done.ready, true);
    const Time arrives = at + occupancy_time + clock_.cycles(config_.synchronise_cycles);
    const Time others_from = ports_[done.port].port->replied(request, done.io_value, arrives);
    if (config_.lines_have_owners && !is_io(request.kind))
        arrived(done.port, line_of(request.address), arrives, others_from);
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
    use.locked = request.kind == TransactionKind::locked_read || owns_lock(port);
    observer_.used(use);
}

// Whether the bus certainly has something to do at `soonest`: a reply is ready, or the port whose
// turn is next is eligible. That port has usually waited longest, so the test usually suffices.
inline bool Bus::used_at(Time soonest) const {
    if (!pending_replies_.empty() && pending_replies_.back().ready <= soonest) return true;
    const ProcessorSet requesting = pending_ - blocked_;
    if (requesting.empty()) return false;
    const ProcessorId port = requesting.first_in_turn(turn_);
    return eligible_[port] <= soonest && !may_be_unavailable(port) &&
           !refused_by_memory(port, soonest);
}

// When the next reply is ready or the next request eligible, if no request has to wait for an
// unavailable line or for a kept turn. The search stops at the first time not after `soonest`.
inline Time Bus::earliest_use(Time soonest) const {
    Time next = pending_replies_.empty() ? kNever : pending_replies_.back().ready;
    for (const ProcessorId port : pending_ - blocked_) {
        if (next <= soonest) break;
        next = std::min(next, eligible_[port]);
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
    Time next = pending_replies_.empty() ? kNever : pending_replies_.back().ready;
    for (const ProcessorId port : pending_ - blocked_) {
        if (next <= soonest) break;
        const Time from = eligible_[port];
        const bool waits_for_unlock =
            turn_kept_at_ == at && from <= at && !owns_lock(port) && !refused_by_memory(port, at);
        if (from >= next || waits_for_unlock) continue;
        const Time available = unavailable_until(port, std::max(from, soonest));
        next = std::min(next, std::max({from, available, controllers_.accepts_from(head(port))}));
    }
    return next;
}

inline Time Bus::find_next_edge(Time at, Time soonest) const {
    if (turn_kept_at_ != at && used_at(soonest)) return soonest;
    const bool some_wait =
        turn_kept_at_ == at || !unavailable_.empty() || controllers_.may_refuse(soonest);
    const Time next = some_wait ? earliest_use_with_waits(at, soonest) : earliest_use(soonest);
    return next == kNever ? kNever : std::max(next, soonest);
}

}  // namespace symsim
