// SPDX-License-Identifier: MIT
// What light instructions are made of (light.h), to be inlined into each.
#pragma once

#include "sim/cpu/processor.h"

namespace symsim {

inline bool Processor::begins_light(const Op& op) const {
    return context_.time < light_stop_ && op.entry == context_.entry;
}

inline bool Processor::enters_light(const Op& op) {
    if (context_.fetched & kLastLine) return true;
    const Address line = cache_.cache().line_of(op.last);
    const CodeWindow& window = context_.window;
    if (line - window.physical >= window.size || !cache_.queue_hits(line, context_.time))
        return false;
    context_.fetch_line = line;
    context_.fetched = kFirstLine | kLastLine;
    return true;
}

template <unsigned Size>
bool Processor::read_light(Seg segment, Address offset, std::uint32_t& value) {
    Address place = offset;
    if (!(system_.plain_reads >> segment & 1) && !translates_light(segment, offset, Size, place))
        return false;
    if ((place & 3) + Size > 4 || !cache_.load_hits(place, Size, context_.time, value))
        return false;
    context_.time += cache_.hit_wait();
    return true;
}

inline void Processor::complete_light(const Op& op) {
    context_.time += clock_.cycles(op.clocks);
    ++context_.instructions;
    static_cast<UnderWay&>(context_) = {};
}

}  // namespace symsim
