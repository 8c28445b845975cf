// SPDX-License-Identifier: MIT
// What light instructions are made of (light.h), to be inlined into each.
#pragma once

#include "sim/cpu/processor.h"

namespace symsim {

inline bool Processor::goes_on_light(Time time) const {
    return time < light_stop_;
}

inline bool Processor::begins_light(const Op& op, Time time) const {
    return goes_on_light(time) && op.entry == context_.entry;
}

inline bool Processor::enters_light(const Op& op, Time time) {
    if (context_.fetched & kLastLine) return true;
    const Address line = cache_.cache().line_of(op.last);
    if (!cache_.queue_hits(line, time)) return false;
    context_.fetch_line = line;
    context_.fetched |= kFirstLine | kLastLine;
    return true;
}

// Ring 0 to 2 may do all on a 386; the 486 can be told to honour read-only pages there too.
inline bool Processor::allowed(bool user, bool writable, Reach reach) const {
    if (reach.user) return user && (writable || !reach.write);
    return writable || !reach.write || isa_ == Isa::i386 || !(system_.cr0 & cr0::kWriteProtect);
}

// A place that is not simply at the offset: allowed, and its page in the TLB.
inline bool Processor::translates_light(Seg segment, Address offset, unsigned size, bool will_write,
                                        Address& place) const {
    const Segment& s = system_.segments[segment];
    const std::uint64_t last = std::uint64_t{offset} + size - 1;
    if (!s.present() || !(will_write ? s.writable() : s.readable()) || s.expands_down() ||
        last > s.limit)
        return false;
    place = s.base + offset;
    if (!system_.paging()) return true;
    const TlbEntry* const entry = tlb_.find(place);
    if (!entry || !allowed(entry->user, entry->writable, {will_write, system_.cpl == 3}) ||
        (will_write && !entry->dirty))
        return false;
    place = entry->physical | (place & Tlb::kPageMask);
    return true;
}

template <unsigned Size>
bool Processor::read_light(Seg segment, Address offset, std::uint32_t& value, Time& time) {
    Address place = offset;
    if (!(system_.plain_reads >> segment & 1) &&
        !translates_light(segment, offset, Size, false, place))
        return false;
    if ((place & 3) + Size > 4 || !cache_.load_hits(place, Size, time, value)) return false;
    time += cache_.hit_wait();
    return true;
}

inline bool Processor::may_write_light(Seg segment, Address offset, unsigned size) const {
    Address place;
    return system_.plain_writes >> segment & 1 ||
           translates_light(segment, offset, size, true, place);
}

template <unsigned Size>
bool Processor::stores_light(const Op& op, Seg segment, Address offset, Address& place,
                             Time time) const {
    place = offset;
    if (!(system_.plain_writes >> segment & 1) &&
        !translates_light(segment, offset, Size, true, place))
        return false;
    const Time at = time + stores_from(op);
    return (place & 3) + Size <= 4 && at < limit_ &&
           cache_.leaves_store(place, Size, access_time(at));
}

// What is light stands on one page as a whole.
inline const Op* Processor::light_target(Address eip) const {
    const CodeWindow& window = context_.window;
    const Address offset = eip - window.begin;
    const Op* const target =
        offset < window.size ? code_.known(window.physical + offset, system_.wide_code()) : nullptr;
    return target && target->light != leave_to_execute ? target : nullptr;
}

inline void Processor::complete_light() {
    ++context_.instructions;
    static_cast<UnderWay&>(context_) = {};
}

}  // namespace symsim
