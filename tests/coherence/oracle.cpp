// SPDX-License-Identifier: MIT
// What the oracles of all interconnects share.
#include "tests/coherence/oracle.h"

#include <fmt/format.h>

#include <algorithm>

namespace symsim::test {

namespace {
constexpr std::size_t kUsesShown = 60;
}

Oracle::Oracle(const RoundConfig& round, const Memory& memory)
    : round_(round),
      memory_(memory),
      line_bytes_(round.cache.geometry.line_bytes),
      lines_(Instructions(round).lines()),
      bytes_(memory.data(), memory.data() + memory.size()) {
    // Depth 0 means `stall`, whatever the policy is.
    if (round_.cache.write_buffer_depth == 0) round_.cache.store_policy = StorePolicy::stall;
}

void Oracle::add(CacheController& cache, Asked& port) {
    port.cache = &cache;
    asked_.push_back(&port);
}

void Oracle::used(const BusUse& use) {
    recent_.push_back(use);
    if (recent_.size() > kUsesShown) recent_.pop_front();
}

std::uint32_t Oracle::in_memory(Address address, unsigned size) const {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < size; ++i) value |= std::uint32_t{bytes_[address + i]} << 8 * i;
    return value;
}

std::uint32_t Oracle::view(ProcessorId id, Address address, unsigned size) const {
    std::uint32_t value = in_memory(address, size);
    for (const Store& store : asked_[id]->pending)
        for (unsigned i = 0; i < size; ++i) {
            const Address offset = address + i - store.address;
            if (offset >= store.size) continue;
            value &= ~(0xffu << 8 * i);
            value |= (store.value >> 8 * offset & 0xff) << 8 * i;
        }
    return value;
}

bool Oracle::changes(const Store& store) const {
    const std::uint32_t mask = store.size == 4 ? ~0u : (1u << 8 * store.size) - 1;
    return in_memory(store.address, store.size) != (store.value & mask);
}

void Oracle::order(const Store& store) {
    for (unsigned i = 0; i < store.size; ++i)
        bytes_[store.address + i] = static_cast<std::uint8_t>(store.value >> 8 * i);
    for (ProcessorId id = 0; id < asked_.size(); ++id) {
        Asked& other = *asked_[id];
        const Step& step = other.step;
        if (other.asking && !other.may_return.empty() &&
            step.address < store.address + store.size && store.address < step.address + step.size)
            other.may_return.push_back(view(id, step.address, step.size));
    }
}

void Oracle::written_rightly() {
    for (const Store& store : written_)
        if (memory_.read(store.address, store.size) != in_memory(store.address, store.size))
            throw Incoherent(fmt::format("memory has {:#x} at {:#x}, the memory order {:#x}",
                                         memory_.read(store.address, store.size), store.address,
                                         in_memory(store.address, store.size)));
    written_.clear();
}

void Oracle::memory_right_at_end() const {
    for (Address a = 0; a < bytes_.size(); ++a)
        if (memory_.data()[a] != bytes_[a])
            throw Incoherent(fmt::format("memory at {:#x} is not by the memory order", a));
}

bool Oracle::owns(ProcessorId id, Address line) const {
    return std::any_of(locks_.begin(), locks_.end(), [=](const Lock& l) {
        return l.owner == id && l.line == line && !l.unlock_posted;
    });
}

void Oracle::not_locked_by_others(ProcessorId id, Address line) const {
    if (std::any_of(locks_.begin(), locks_.end(),
                    [&](const Lock& l) { return l.owner != id && l.line == line; }))
        throw Incoherent(fmt::format("port {}: uses {:#x} under another's lock", id, line));
}

// Checks that no other port has written between a locked read and its store. The whole operand,
// both parts of a split one, must still have the value that was read.
void Oracle::atomic(ProcessorId id, const Store& store) {
    Asked& port = *asked_[id];
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

void Oracle::may_unlock(ProcessorId id) const {
    const Asked& port = *asked_[id];
    const bool all = port.step.what == Step::What::unlock;
    const Address line = line_of(port.step.address);
    const auto unstored = [&](const Held& h) { return all || line_of(h.address) == line; };
    if (!port.pending.empty() || std::any_of(port.held.begin(), port.held.end(), unstored))
        throw Incoherent(fmt::format("port {}: unlocks before its stores are complete", id));
}

void Oracle::may_be_read(ProcessorId id, std::uint32_t value) const {
    const Asked& port = *asked_[id];
    const Step& step = port.step;
    if (std::find(port.may_return.begin(), port.may_return.end(), value) != port.may_return.end())
        return;
    std::string allowed;
    for (const std::uint32_t v : port.may_return) allowed += fmt::format(" {:#x}", v);
    throw Incoherent(fmt::format("port {}: {} of {} bytes at {:#x} returns {:#x}, may be{}", id,
                                 name(step.what), step.size, step.address, value, allowed));
}

// Whether one pending store of the port has all bytes of the step, a load.
bool Oracle::forwarded(const Asked& port, const Step& step) {
    return step.what == Step::What::load &&
           std::any_of(port.pending.begin(), port.pending.end(), [&](const Store& s) {
               return s.address <= step.address && step.address + step.size <= s.address + s.size;
           });
}

std::string Oracle::dump_asked(ProcessorId id) const {
    const Asked& port = *asked_[id];
    const Step& step = port.step;
    std::string text =
        fmt::format("port {:2}: {} {} of {} at {:#x}", id, port.asking ? "waits with" : "has made",
                    name(step.what), step.size, step.address);
    for (const Store& s : port.pending)
        text += fmt::format("; {} {:#x} to {:#x} {}", name(s.kind), s.value, s.address,
                            s.in_transit ? "under way" : "pending");
    for (const Lock& lock : locks_)
        if (lock.owner == id) text += fmt::format("; holds {:#x}", lock.line);
    text += "; cache:";
    for (const Address line : lines_)
        if (const Line* const found = port.cache->cache().find(line))
            text += fmt::format(" {:#x} ({})", line, index(found->state));
    return text;
}

std::string Oracle::recent_uses() const {
    std::string text;
    for (const BusUse& use : recent_)
        text += fmt::format("{:>12} ps port {:2} {}{} {} bytes at {:#x} on {}\n", use.start,
                            use.processor, name(use.kind), use.reply ? " reply" : "", use.size,
                            use.address, use.resource);
    return text;
}

}  // namespace symsim::test
