// SPDX-License-Identifier: MIT
// The order of grants: what it makes of memory, copies and locks.
#include <fmt/format.h>

#include <algorithm>

#include "tests/coherence/oracle.h"

namespace symsim::test {

namespace {
constexpr std::size_t kUsesShown = 60;

LineEvent snooped(Kind kind) {
    switch (kind) {
        case Kind::fetch:
            return LineEvent::snooped_fetch;
        case Kind::read:
            return LineEvent::snooped_read;
        case Kind::store:
            return LineEvent::snooped_store;
        case Kind::locked_read:
            return LineEvent::snooped_locked_read;
        case Kind::locked_store:
            return LineEvent::snooped_locked_store;
        default:
            throw Incoherent(fmt::format("nobody asked for a {}", name(kind)));
    }
}

Kind fill_kind(Step::What what) {
    if (what == Step::What::fetch) return Kind::fetch;
    return what == Step::What::load ? Kind::read : Kind::locked_read;
}
}  // namespace

// Told before the transaction takes effect.
void Oracle::used(const BusUse& use) {
    recent_.push_back(use);
    if (recent_.size() > kUsesShown) recent_.pop_front();
    Port& port = ports_[use.processor];
    const Address line = line_of(use.address);
    if (use.reply) {
        reached_.lines.reached(state_of(port, line), LineEvent::replied);
        if (port.fill.state == FillOf::coming) port.fill.state = FillOf::here;
        return;
    }
    grant_checked(use.processor, use);
    if (use.kind != Kind::unlock)
        for (const Port& other : ports_)
            if (&other != &port) reached_.lines.reached(state_of(other, line), snooped(use.kind));
    if (use.kind == Kind::unlock)
        granted_unlock(use.processor, use);
    else if (is_store(use.kind))
        granted_store(use.processor, use);
    else
        granted_fill(use.processor, use);
}

// Nobody passes another's address lock, or comes to a line that is not available yet.
void Oracle::grant_checked(ProcessorId id, const BusUse& use) {
    const Address line = line_of(use.address);
    const bool whole_bus = round_.bus.locked_request == LockedRequest::hold_bus;
    bool own = false;
    for (const Lock& lock : locks_) {
        if (lock.owner != id && (whole_bus || lock.line == line))
            throw Incoherent(
                fmt::format("port {}: a {} of {:#x} is granted while port {} holds "
                            "{:#x}",
                            id, name(use.kind), line, lock.owner, lock.line));
        own |= lock.owner == id && lock.line == line;
    }
    for (const Unavailable& u : unavailable_)
        if (u.line == line && use.start < u.until)
            throw Incoherent(
                fmt::format("port {}: a {} of {:#x} is granted at {} ps, before the "
                            "line is available again",
                            id, name(use.kind), line, use.start));
    reached_.locks.reached(own ? LockState::own : LockState::free, use.kind);
}

void Oracle::granted_fill(ProcessorId id, const BusUse& use) {
    Port& port = ports_[id];
    const Address line = line_of(use.address);
    if (!port.asking || port.fill.state != FillOf::none || use.kind != fill_kind(port.step.what) ||
        line != line_of(port.step.address))
        throw Incoherent(fmt::format("port {}: nobody asked for the {} of {:#x}", id,
                                     name(use.kind), use.address));
    if (!port.pending.empty() || !port.unlocking.empty())
        throw Incoherent(
            fmt::format("port {}: a {} passes what was posted before", id, name(use.kind)));
    reached_.lines.reached(state_of(port, line), LineEvent::granted);
    reached_.buffer.reached(buffer_state(port), BufferEvent::fill);
    port.fill = {FillOf::coming, use.kind, line, versions_[number_of(line)]};
    if (use.kind == Kind::locked_read) locks_.push_back({id, line});
}

void Oracle::granted_store(ProcessorId id, const BusUse& use) {
    Port& port = ports_[id];
    if (port.pending.empty()) throw Incoherent(fmt::format("port {}: nobody asked to store", id));
    const Store store = port.pending.front();
    if (store.kind != use.kind || store.address != use.address || store.size != use.size ||
        store.behind_unlocks > port.unlocks_granted)
        throw Incoherent(fmt::format("port {}: the {} of {} bytes at {:#x} is out of order", id,
                                     name(use.kind), use.size, use.address));
    const Address line = line_of(store.address);
    if (store.kind == Kind::locked_store) atomic(id, store);
    reached_.lines.reached(state_of(port, line), LineEvent::own_store);
    reached_.buffer.reached(buffer_state(port), BufferEvent::grant);
    port.pending.pop_front();
    port.complete_at = use.start + round_.cache.store_completion_cycles * round_.cache.bus_period;

    for (unsigned i = 0; i < store.size; ++i)
        bytes_[store.address + i] = static_cast<std::uint8_t>(store.value >> 8 * i);
    const std::uint64_t version = ++versions_[number_of(line)];
    port.copies[number_of(line)] = version;
    written_.push_back(store);
    const Address end = store.address + store.size;
    for (ProcessorId i = 0; i < ports_.size(); ++i) {
        Port& other = ports_[i];
        if (i != id) {
            if (protocol_.store_updates_copies) other.copies[number_of(line)] = version;
            if (other.fill.state != FillOf::none && other.fill.line == line &&
                !protocol_.store_updates_copies)
                other.fill.state = FillOf::changed;
            const auto over = [&](const Store& s) {
                return s.address < end && store.address < s.address + s.size;
            };
            if (std::any_of(other.pending.begin(), other.pending.end(), over))
                reached_.buffer.reached(buffer_state(other), BufferEvent::foreign_over);
        }
        const Step& step = other.step;
        if (other.asking && !other.may_return.empty() && step.address < end &&
            store.address < step.address + step.size)
            other.may_return.push_back(view(i, step.address, step.size));
    }
}

// Between a locked read and its store nobody has written there: the whole operand, both parts of
// a split one, is still what was read.
void Oracle::atomic(ProcessorId id, const Store& store) {
    Port& port = ports_[id];
    for (const Held& held : port.held)
        if (in_memory(held.address, held.size) != held.value)
            throw Incoherent(
                fmt::format("port {}: a locked instruction read {:#x} at {:#x}, and "
                            "when it stores {:#x} is there",
                            id, held.value, held.address, in_memory(held.address, held.size)));
    if (!owns(id, line_of(store.address)))
        throw Incoherent(fmt::format("port {}: locked store without a lock", id));
    const auto same = [&](const Held& h) { return h.address == store.address; };
    const auto held = std::find_if(port.held.begin(), port.held.end(), same);
    if (held == port.held.end())
        throw Incoherent(fmt::format("port {}: locked store where it has not read", id));
    port.held.erase(held);
}

void Oracle::granted_unlock(ProcessorId id, const BusUse& use) {
    Port& port = ports_[id];
    const auto lock = std::find_if(locks_.begin(), locks_.end(), [&](const Lock& l) {
        return l.owner == id && l.line == use.address;
    });
    if (port.unlocking.empty() || port.unlocking.front() != use.address || lock == locks_.end())
        throw Incoherent(fmt::format("port {}: nobody asked to unlock {:#x}", id, use.address));
    reached_.lines.reached(state_of(port, use.address), LineEvent::own_unlock);
    port.unlocking.pop_front();
    ++port.unlocks_granted;
    locks_.erase(lock);
    const Time until = use.start + round_.bus.line_unavailable_cycles * round_.bus.clock_period;
    unavailable_.erase(std::remove_if(unavailable_.begin(), unavailable_.end(),
                                      [&](const Unavailable& u) { return u.until <= use.start; }),
                       unavailable_.end());
    unavailable_.push_back({use.address, until});
}

// All that the edge does has been done.
void Oracle::edge_done() {
    for (const Store& store : written_) {
        if (memory_.read(store.address, store.size) != in_memory(store.address, store.size))
            throw Incoherent(fmt::format("memory has {:#x} at {:#x}, the order of grants {:#x}",
                                         memory_.read(store.address, store.size), store.address,
                                         in_memory(store.address, store.size)));
        const Address line = line_of(store.address);
        for (Port& port : ports_)
            port.in_cache[number_of(line)] = port.cache->cache().find(line) != nullptr;
        copies_good(line);
    }
    written_.clear();
}

void Oracle::copies_good(Address line) const {
    const std::size_t number = number_of(line);
    for (ProcessorId id = 0; id < ports_.size(); ++id)
        if (ports_[id].cache->cache().find(line) && ports_[id].copies[number] != versions_[number])
            throw Incoherent(fmt::format("port {}: has a stale copy of line {:#x}", id, line));
}

void Oracle::finished() const {
    for (ProcessorId id = 0; id < ports_.size(); ++id) {
        const Port& port = ports_[id];
        if (port.asking || !port.pending.empty() || !port.unlocking.empty() || !port.held.empty())
            throw Incoherent(fmt::format("port {}: something is left over at the end", id));
    }
    if (!locks_.empty())
        throw Incoherent(fmt::format("line {:#x} is locked at the end", locks_.front().line));
    for (const Address line : lines_) copies_good(line);
    for (Address a = 0; a < bytes_.size(); ++a)
        if (memory_.data()[a] != bytes_[a])
            throw Incoherent(fmt::format("memory at {:#x} is not by the order of grants", a));
}

std::string Oracle::dump(ProcessorId id) const {
    const Port& port = ports_[id];
    const Step& step = port.step;
    std::string text =
        fmt::format("port {:2}: {} {} of {} at {:#x}", id, port.asking ? "waits with" : "has made",
                    name(step.what), step.size, step.address);
    if (port.fill.state != FillOf::none)
        text += fmt::format("; {} of {:#x} in state {}", name(port.fill.kind), port.fill.line,
                            static_cast<unsigned>(port.fill.state));
    for (const Store& s : port.pending)
        text += fmt::format("; {} {:#x} to {:#x} pending", name(s.kind), s.value, s.address);
    for (const Lock& lock : locks_)
        if (lock.owner == id) text += fmt::format("; holds {:#x}", lock.line);
    for (const Address line : port.unlocking) text += fmt::format("; unlocks {:#x}", line);
    text += "; cache:";
    for (const Address line : lines_)
        if (port.cache->cache().find(line)) text += fmt::format(" {:#x}", line);
    return text + "\n";
}

std::string Oracle::recent_uses() const {
    std::string text;
    for (const BusUse& use : recent_)
        text +=
            fmt::format("{:>12} ps port {:2} {}{} {} bytes at {:#x}\n", use.start, use.processor,
                        name(use.kind), use.reply ? " reply" : "", use.size, use.address);
    return text;
}

}  // namespace symsim::test
