// SPDX-License-Identifier: MIT
// Operands whose place in memory is known: the part of Processor that most instructions go through,
// so it is here to be inlined. What needs more is in memory_access.cpp.
#pragma once

#include "sim/cpu/processor.h"

namespace symsim {

// Within the instruction.
inline Time Processor::load_offset() const {
    const Execution& e = execution_;
    return clock_.cycles(2 * (e.loads + e.splits + (e.serial ? e.stores : 0)));
}

inline Time Processor::store_offset(const Op& op) const {
    const Execution& e = execution_;
    return e.serial ? load_offset()
                    : clock_.cycles(op.clocks - 2 * (op.stores - e.stores - e.splits));
}

// A hit of an instruction that has nothing to remember, or anything else.
inline bool Processor::load(const Op& op, Address address, unsigned size, std::uint32_t& value) {
    const Time at = context_.time + load_offset();
    if (op.locked || execution_.serial || execution_.next_access < context_.accesses ||
        context_.accesses >= few_accesses_ || at >= limit_ ||
        !cache_.load_hits(address, size, at, value))
        return load_with_care(op, address, size, value);
    context_.time += cache_.hit_wait();
    context_.last_access = at;
    log_[context_.accesses++] = value;
    execution_.next_access = context_.accesses;
    return true;
}

template <unsigned Size>
inline bool Processor::read_physical(const Op& op, Address address, std::uint32_t& value) {
    if ((address & 3) + Size > 4) return read_split(op, address, Size, value);
    if (!load(op, address, Size, value)) return false;
    ++execution_.loads;
    return true;
}

template <unsigned Size>
inline bool Processor::write_physical(const Op& op, Address address, std::uint32_t value) {
    if ((address & 3) + Size > 4) return write_split(op, address, Size, value);
    if (!store(op, address, Size, value)) return false;
    ++execution_.stores;
    return true;
}

}  // namespace symsim
