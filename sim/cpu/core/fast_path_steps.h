// SPDX-License-Identifier: MIT
// The tail of processor.h, which includes it at its end; nothing else may include it.
//
// The steps of the fast path (fast_path_run.h) that every fast-path instruction takes, inlined into
// it.
#pragma once

#include <algorithm>

namespace symsim {

inline void FastPathRun::set_stop(Processor& cpu) {
    cpu.fast_stop_ = std::min(cpu.stop_, cpu.context_.time + cpu.clock_.cycles(kMostClocks));
}

inline bool FastPathRun::goes_on(const Processor& cpu, Time time) {
    return time < cpu.fast_stop_;
}

inline bool FastPathRun::begins(const Processor& cpu, const Op& op, Time time) {
    return goes_on(cpu, time) && op.entry == cpu.context_.entry;
}

inline bool FastPathRun::enters(Processor& cpu, const Op& op, Time time) {
    if (cpu.context_.fetched & kAllLines) return true;
    const Cache& cache = cpu.cache_.cache();
    const Address last = cache.line_of(op.last);
    Address line = cache.line_of(op.address + cache.line_bytes() - 1);  // first that begins in it
    for (; cpu.cache_.queue_hits(line, time); line += cache.line_bytes()) {
        if (line != last) continue;
        cpu.context_.fetch_line = last;
        cpu.context_.fetched |= kAllLines;
        return true;
    }
    return false;
}

// For a segment whose offsets are not physical addresses: checks the access and translates the
// offset. False: the access is not allowed, or the TLB cannot translate it.
inline bool FastPathRun::translates(const Processor& cpu, Seg segment, Offset offset, unsigned size,
                                    bool will_write, Address& place) {
    const Segment& s = cpu.system_.segments[segment];
    const std::uint64_t last = std::uint64_t{offset} + size - 1;
    if (!s.present() || !(will_write ? s.writable() : s.readable()) || s.expands_down() ||
        last > s.limit)
        return false;
    place = s.base + offset;
    if (!cpu.system_.paging()) return true;
    const TlbEntry* const entry = cpu.tlb_.find(place);
    if (!entry || !cpu.allowed(entry->user, entry->writable, {will_write, cpu.system_.cpl == 3}) ||
        (will_write && !entry->dirty))
        return false;
    place = entry->physical | (place & Tlb::kPageMask);
    return true;
}

template <unsigned Size>
bool FastPathRun::locates(const Processor& cpu, Seg segment, Offset offset, Address& place) {
    place = offset;
    return (cpu.system_.plain_reads >> segment & 1 ||
            translates(cpu, segment, offset, Size, false, place)) &&
           (place & 3) + Size <= 4;
}

template <unsigned Size>
bool FastPathRun::load(Processor& cpu, Address place, std::uint32_t& value, Time& time) {
    if (!cpu.cache_.load_hits(place, Size, time, value)) return false;
    time += cpu.cache_.hit_wait();
    return true;
}

inline bool FastPathRun::may_write(const Processor& cpu, Seg segment, Offset offset,
                                   unsigned size) {
    Address place;
    return cpu.system_.plain_writes >> segment & 1 ||
           translates(cpu, segment, offset, size, true, place);
}

template <unsigned Size>
bool FastPathRun::stores(const Processor& cpu, const Op& op, Seg segment, Offset offset,
                         Place& place, Time time) {
    place.address = offset;
    if (!(cpu.system_.plain_writes >> segment & 1) &&
        !translates(cpu, segment, offset, Size, true, place.address))
        return false;
    const Time at = time + cpu.stores_from(op);
    if ((place.address & 3) + Size > 4 || at >= cpu.limit_) return false;
    if (cpu.cache_.can_buffer_store(place.address, Size, cpu.access_time(at))) return true;
    place.line = cpu.cache_.owned_line_for_store(place.address, at);
    return place.line;
}

inline void FastPathRun::store(Processor& cpu, const Op& op, const Place& place, unsigned size,
                               std::uint32_t value, Time time) {
    if (place.line) return store_in_line(cpu, op, *place.line, {place.address, size}, value, time);
    enqueue_store(cpu, op, place.address, size, value, time);
}

// A fast-path instruction lies wholly on one page, so the window contains all of it.
inline const Op* FastPathRun::target_at(const Processor& cpu, Offset eip) {
    const CodeWindow& window = cpu.context_.window;
    const Offset offset = eip - window.begin;
    const Op* const target =
        offset < window.size
            ? cpu.decode_cache_.known(window.physical + offset, cpu.system_.wide_code())
            : nullptr;
    return target && target->fast != leave_to_execute ? target : nullptr;
}

inline void FastPathRun::complete(Processor& cpu) {
    ++cpu.context_.instructions;
    static_cast<UnderWay&>(cpu.context_) = {};
}

inline void FastPathRun::leave(Processor& cpu, const Op& op, Time time) {
    cpu.context_.time = time;
    cpu.fast_end_ = &op;
}

inline void FastPathRun::pause(Processor& cpu, const Op& op) {
    cpu.fast_end_ = nullptr;
    cpu.paused_at_ = &op;
}

}  // namespace symsim
