// SPDX-License-Identifier: MIT
// The oracle's part for events of the bus: the order of grants, and its effect on memory, copies
// and locks.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/transaction_kind.h"
#include "tests/coherence/bus_oracle.h"

namespace symsim::test {

namespace {
LineEvent snooped(TransactionKind kind) {
    switch (kind) {
        case TransactionKind::fetch:
            return LineEvent::snooped_fetch;
        case TransactionKind::read:
            return LineEvent::snooped_read;
        case TransactionKind::read_exclusive:
            return LineEvent::snooped_read_exclusive;
        case TransactionKind::upgrade:
            return LineEvent::snooped_upgrade;
        case TransactionKind::store:
            return LineEvent::snooped_store;
        case TransactionKind::locked_read:
            return LineEvent::snooped_locked_read;
        case TransactionKind::locked_store:
            return LineEvent::snooped_locked_store;
        default:
            throw Incoherent(fmt::format("nobody asked for a {}", name(kind)));
    }
}

LineEvent own(TransactionKind kind) {
    switch (kind) {
        case TransactionKind::read_exclusive:
            return LineEvent::own_read_exclusive;
        case TransactionKind::upgrade:
            return LineEvent::own_upgrade;
        case TransactionKind::unlock:
            return LineEvent::own_unlock;
        case TransactionKind::write_back:
            return LineEvent::own_write_back;
        default:
            return is_store(kind) ? LineEvent::own_store : LineEvent::granted;
    }
}

TransactionKind fill_kind(Step::What what) {
    if (what == Step::What::fetch) return TransactionKind::fetch;
    return what == Step::What::locked_load ? TransactionKind::locked_read : TransactionKind::read;
}
}  // namespace

// Lines that an earlier use of this edge has brought into caches.
void BusOracle::look_for_victims() {
    for (ProcessorId id = 0; id < ports_.size(); ++id)
        if (const Address line = std::exchange(ports_[id].installed, Line::kNoAddress);
            line != Line::kNoAddress)
            look_for_victim(id, line);
}

// The bus reports a use before the transaction takes effect.
void BusOracle::used(const BusUse& use) {
    look_for_victims();
    Oracle::used(use);
    const ProcessorId id = use.processor;
    const Address line = line_of(use.address);
    touched_.push_back(line);
    if (use.reply) return replied(id, use);
    may_be_granted(id, use.kind, use.address);
    const bool own_lock = use.kind == TransactionKind::unlock || owns(id, line);
    reached_.locks.reached(own_lock ? LockState::own : LockState::free, use.kind);
    reached_.lines.reached(state_of(id, line), own(use.kind));
    if (use.kind == TransactionKind::unlock) return granted_unlock(id, use);
    if (use.kind != TransactionKind::write_back)
        for (ProcessorId other = 0; other < ports_.size(); ++other)
            if (other != id) reached_.lines.reached(state_of(other, line), snooped(use.kind));
    bool changed = false;
    if (is_store(use.kind)) {
        if (ports_[id].pending.empty())
            throw Incoherent(fmt::format("port {}: nobody asked to store", id));
        changed = changes(ports_[id].pending.front());
    }
    const auto expected =
        is_store(use.kind) ? model_.store_as(id, line, ports_[id].pending.front().kind) : use.kind;
    if (use.kind != expected)
        throw Incoherent(fmt::format("port {}: a {} of {:#x}, where none is needed", id,
                                     name(use.kind), use.address));
    const bool absent = model_.state(id, line) == LineState::invalid;
    const bool supplied = model_.granted(id, use.kind, line, use.size, changed);
    if (absent && model_.state(id, line) != LineState::invalid) ports_[id].installed = line;
    const Time cycles = round_.bus.request_cycles + round_.bus.memory.latency_cycles +
                        (supplied ? round_.bus.owner_supply_cycles : 0);
    const Time ready = use.start + cycles * round_.bus.period();
    if (is_store(use.kind)) granted_store(id, use, ready);
    if (has_reply(use.kind)) {
        if (use.kind != TransactionKind::read_exclusive) granted_fill(id, use, ready);
        if (lines_have_owners()) in_transit(id, use, supplied);
    }
}

// Checks that no other port has locked the line, and that it is available to this port.
void BusOracle::may_be_granted(ProcessorId id, TransactionKind kind, Address address) const {
    const Address line = line_of(address);
    const bool whole_bus =
        round_.bus.locked_request == LockedRequest::hold_bus &&
        std::none_of(locks_.begin(), locks_.end(), [=](const Lock& l) { return l.owner == id; });
    for (const Lock& lock : locks_)
        if (lock.owner != id && (lock.line == line || (whole_bus && lock.on_bus)))
            throw Incoherent(
                fmt::format("port {}: a {} of {:#x} is granted while port {} holds "
                            "{:#x}",
                            id, name(kind), line, lock.owner, lock.line));
    const bool takes = is_store(kind) || kind == TransactionKind::locked_read;
    for (const Unavailable& u : unavailable_)
        if (u.line == line && u.destination != id && edge_ < u.until &&
            (takes || !u.to_takers_only))
            throw Incoherent(
                fmt::format("port {}: a {} of {:#x} is granted at {} ps, before the "
                            "line is available again",
                            id, name(kind), line, edge_));
    const std::deque<Store>& pending = ports_[id].pending;
    if (is_store(kind) && !pending.empty() && pending.front().in_transit)
        throw Incoherent(fmt::format("port {}: a store passes one whose line is coming", id));
}

// Other readers may get a line while it is on its way to a reader. A line that changes owner, or
// comes from its owner, is unavailable to all others.
void BusOracle::in_transit(ProcessorId id, const BusUse& use, bool supplied) {
    const bool reads = use.kind == TransactionKind::fetch || use.kind == TransactionKind::read;
    unavailable_.push_back({line_of(use.address), kNever, id, reads && !supplied});
}

void BusOracle::replied(ProcessorId id, const BusUse& use) {
    Port& port = ports_[id];
    const Address line = line_of(use.address);
    const bool owning = use.kind == TransactionKind::read_exclusive;
    reached_.lines.reached(state_of(id, line),
                           owning ? LineEvent::own_arrival : LineEvent::replied);
    if (use.posted != (owning ? port.ready : port.fill.ready))
        throw Incoherent(fmt::format("port {}: the reply to a {} is ready at {} ps", id,
                                     name(use.kind), use.posted));
    const Time arrives =
        use.start + use.duration + round_.bus.synchronise_cycles * round_.bus.period();
    if (lines_have_owners()) {
        const auto coming =
            std::find_if(unavailable_.begin(), unavailable_.end(), [&](const Unavailable& u) {
                return u.destination == id && u.line == line && u.until == kNever;
            });
        coming->until = arrives;
        if (!coming->to_takers_only)
            coming->until += round_.bus.line_unavailable_cycles * round_.bus.period();
    }
    if (!owning) {
        if (port.fill.state == FillOf::coming) port.fill.state = FillOf::here;
        return;
    }
    reached_.buffer.reached(buffer_state(port), BufferEvent::arrival);
    model_.arrived(id, line);
    port.pending.pop_front();
    port.complete_at = arrives;
    port.arriving = port.installed = line;
}

void BusOracle::granted_fill(ProcessorId id, const BusUse& use, Time ready) {
    Port& port = ports_[id];
    const Address line = line_of(use.address);
    const bool wanted = port.step.what == Step::What::store
                            ? allocating(id) && use.kind == TransactionKind::read
                            : use.kind == fill_kind(port.step.what);
    if (!port.asking || port.fill.state != FillOf::none || !wanted ||
        line != line_of(port.step.address))
        throw Incoherent(fmt::format("port {}: nobody asked for the {} of {:#x}", id,
                                     name(use.kind), use.address));
    const bool posted_before = std::any_of(port.pending.begin(), port.pending.end(),
                                           [](const Store& store) { return !store.in_transit; });
    if (posted_before || !port.unlocking.empty())
        throw Incoherent(
            fmt::format("port {}: a {} passes what was posted before", id, name(use.kind)));
    reached_.buffer.reached(buffer_state(port), BufferEvent::fill);
    port.fill = {FillOf::coming, use.kind, line, versions_[number_of(line)], ready};
    if (use.kind == TransactionKind::locked_read) locks_.push_back({id, line, true});
}

void BusOracle::granted_store(ProcessorId id, const BusUse& use, Time ready) {
    Port& port = ports_[id];
    Store& store = port.pending.front();
    if (store.address != use.address || store.size != use.size ||
        store.after_unlocks > port.unlocks_granted)
        throw Incoherent(fmt::format("port {}: the {} of {} bytes at {:#x} is out of order", id,
                                     name(use.kind), use.size, use.address));
    reached_.buffer.reached(buffer_state(port), BufferEvent::grant);
    if (store.exchanges)
        port.exchanged = in_memory(store.address, store.size);
    else if (store.kind == TransactionKind::locked_store)
        atomic(id, store);
    const Store made = store;
    if (use.kind == TransactionKind::read_exclusive) {
        store.in_transit = true;
        port.ready = ready;
    } else {
        const std::uint32_t cycles = use.kind == TransactionKind::upgrade
                                         ? round_.cache.upgrade_completion_cycles
                                         : round_.cache.bus.store_completion_cycles;
        port.complete_at = use.start + cycles * round_.cache.bus.period();
        port.arriving = Line::kNoAddress;
        port.pending.pop_front();
    }
    writes_ = true;
    written_.push_back(made);
    performed(id, made, changes(made));
}

void BusOracle::written(Address address, unsigned size) {
    if (writes_) {  // by the transaction just granted
        writes_ = false;
        return;
    }
    for (ProcessorId id = 0; id < ports_.size(); ++id) {
        const Port& port = ports_[id];
        if (port.pending.empty()) continue;
        const Store& store = port.pending.front();
        if (store.address == address && store.size == size && model_.owned(id, line_of(address)))
            return at_turn(id);
    }
    throw Incoherent(fmt::format("{} bytes at {:#x} are written by nobody", size, address));
}

// The oldest store's turn on the bus has come, and its line is an own line: no transaction.
void BusOracle::at_turn(ProcessorId id) {
    Port& port = ports_[id];
    const Store store = port.pending.front();
    const Address line = line_of(store.address);
    may_be_granted(id, store.kind, line);
    if (store.after_unlocks > port.unlocks_granted)
        throw Incoherent(fmt::format("port {}: a store at its turn passes an unlock", id));
    reached_.lines.reached(state_of(id, line), LineEvent::stored_at_turn);
    reached_.buffer.reached(buffer_state(port), BufferEvent::turn);
    if (store.kind == TransactionKind::locked_store) atomic(id, store);
    port.pending.pop_front();
    port.complete_at = edge_;
    port.arriving = Line::kNoAddress;
    touched_.push_back(line);
    written_.push_back(store);
    const bool changed = changes(store);
    model_.stored_here(id, line);
    performed(id, store, changed);
}

// A store takes its place in the memory order.
void BusOracle::performed(ProcessorId id, const Store& store, bool changed) {
    order(store);
    const std::size_t number = number_of(line_of(store.address));
    if (changed) ++versions_[number];
    const Address end = store.address + store.size;
    for (ProcessorId i = 0; i < ports_.size(); ++i) {
        Port& other = ports_[i];
        if (i == id || rules_ == Rules::write_update) {
            other.copies[number] = versions_[number];
            if (other.fill.line == line_of(store.address)) other.fill.version = versions_[number];
        }
        const auto over = [&](const Store& s) {
            return s.address < end && store.address < s.address + s.size;
        };
        if (i != id && std::any_of(other.pending.begin(), other.pending.end(), over))
            reached_.buffer.reached(buffer_state(other), BufferEvent::foreign_over);
    }
}

void BusOracle::granted_unlock(ProcessorId id, const BusUse& use) {
    Port& port = ports_[id];
    const auto lock = std::find_if(locks_.begin(), locks_.end(), [&](const Lock& l) {
        return l.owner == id && l.line == use.address && l.unlock_posted;
    });
    if (port.unlocking.empty() || port.unlocking.front() != use.address || lock == locks_.end())
        throw Incoherent(fmt::format("port {}: nobody asked to unlock {:#x}", id, use.address));
    port.unlocking.pop_front();
    ++port.unlocks_granted;
    locks_.erase(lock);
    const Time until = use.start + round_.bus.line_unavailable_cycles * round_.bus.period();
    unavailable_.push_back({use.address, until, kMaxProcessors, false});
}

// The bus has finished its edge.
void BusOracle::edge_done() {
    if (writes_) throw Incoherent("a store is granted and memory not written");
    written_rightly();
    look_for_victims();
    for (const Address line : touched_) {
        states_right(line);
        model_.check(line);
        copies_good(line);
    }
    touched_.clear();
    unavailable_.erase(std::remove_if(unavailable_.begin(), unavailable_.end(),
                                      [&](const Unavailable& u) { return u.until <= edge_; }),
                       unavailable_.end());
}

void BusOracle::states_right(Address line) const {
    for (ProcessorId id = 0; id < ports_.size(); ++id) {
        const Line* const found = ports_[id].cache->cache().find(line);
        const LineState is = found ? found->state : LineState::invalid;
        const bool ahead =
            ports_[id].stores_ahead > 0 && is == LineState::modified && model_.owned(id, line);
        if (is != model_.state(id, line) && !ahead)
            throw Incoherent(fmt::format("port {}: has line {:#x} in state {}, which is to be {}",
                                         id, line, index(is), index(model_.state(id, line))));
    }
}

void BusOracle::copies_good(Address line) const {
    const std::size_t number = number_of(line);
    for (ProcessorId id = 0; id < ports_.size(); ++id)
        if (ports_[id].cache->cache().find(line) && ports_[id].copies[number] != versions_[number])
            throw Incoherent(fmt::format("port {}: has a stale copy of line {:#x}", id, line));
}

void BusOracle::finished() const {
    for (ProcessorId id = 0; id < ports_.size(); ++id) {
        const Port& port = ports_[id];
        if (port.asking || !port.pending.empty() || !port.unlocking.empty() || !port.held.empty())
            throw Incoherent(fmt::format("port {}: something is left over at the end", id));
    }
    if (!locks_.empty())
        throw Incoherent(fmt::format("line {:#x} is locked at the end", locks_.front().line));
    model_.finished();
    for (const Address line : lines_) {
        states_right(line);
        model_.check(line);
        copies_good(line);
    }
    memory_right_at_end();
}

std::string BusOracle::dump(ProcessorId id) const {
    const Port& port = ports_[id];
    std::string text = dump_asked(id);
    if (port.fill.state != FillOf::none)
        text += fmt::format("; {} of {:#x} in state {}", name(port.fill.kind), port.fill.line,
                            static_cast<unsigned>(port.fill.state));
    for (const Address line : port.unlocking) text += fmt::format("; unlocks {:#x}", line);
    return text + "\n";
}

}  // namespace symsim::test
