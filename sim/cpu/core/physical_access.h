// SPDX-License-Identifier: MIT
// The tail of processor.h, which includes it at its end; nothing else may include it.
//
// Inline access to operands as most instructions need it: the physical address is known, or equals
// the offset in the segment. Other operands are in sim/cpu/mmu/memory_access.cpp.
#pragma once

namespace symsim {

// Rings 0 to 2 may access every page on a 386. On a 486 the bit WP of cr0 makes them honour
// read-only pages.
inline bool Processor::allowed(bool user, bool writable, Reach reach) const {
    if (reach.user) return user && (writable || !reach.write);
    return writable || !reach.write || isa_ == Isa::i386 || !(system_.cr0 & cr0::kWriteProtect);
}

// Offset in time of the next load or store within the instruction.
inline Time Processor::load_offset() const {
    const Execution& e = execution_;
    return clock_.cycles(2 * (e.loads + e.splits + (e.non_speculative ? e.stores : 0)));
}

inline Time Processor::store_offset(const Op& op) const {
    const Execution& e = execution_;
    return e.non_speculative ? load_offset()
                             : stores_from(op) + clock_.cycles(2 * (e.stores + e.splits));
}

// Makes a load that is a plain hit and has not been made before. load_slow() makes all other loads.
inline bool Processor::load(const Op& op, Address address, unsigned size, std::uint32_t& value) {
    const Time at = context_.time + load_offset();
    if (op.locked || execution_.non_speculative || execution_.next_access < context_.accesses ||
        context_.accesses >= few_accesses_ || at >= limit_ ||
        !cache_.load_hits(address, size, at, value))
        return load_slow(op, address, size, value);
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

// Access by an offset in a segment. In most segments every offset is a physical address
// (System::plain_reads, plain_writes). Offsets in other segments are checked and translated.
template <unsigned Size>
inline bool Processor::read(const Op& op, Offset offset, std::uint32_t& value) {
    return read_at<Size>(op, op.segment, offset, value);
}

template <unsigned Size>
inline bool Processor::write(const Op& op, Offset offset, std::uint32_t value) {
    return write_at<Size>(op, op.segment, offset, value);
}

template <unsigned Size>
inline bool Processor::read_at(const Op& op, Seg segment, Offset offset, std::uint32_t& value) {
    if (system_.plain_reads >> segment & 1) return read_physical<Size>(op, offset, value);
    return read_checked(op, segment, offset, Size, false, value);
}

template <unsigned Size>
inline bool Processor::write_at(const Op& op, Seg segment, Offset offset, std::uint32_t value) {
    if (system_.plain_writes >> segment & 1) return write_physical<Size>(op, offset, value);
    return write_checked(op, segment, offset, Size, value);
}

template <unsigned Size>
inline bool Processor::read_for_write(const Op& op, Offset offset, std::uint32_t& value) {
    if (system_.plain_writes >> op.segment & 1) return read_physical<Size>(op, offset, value);
    return read_checked(op, op.segment, offset, Size, true, value);
}

template <unsigned Size>
inline bool Processor::read_port(const Op& op, std::uint32_t port, std::uint32_t& value) {
    return read_physical<Size>(op, kPortSpace + port, value);
}

template <unsigned Size>
inline bool Processor::write_port(const Op& op, std::uint32_t port, std::uint32_t value) {
    return write_physical<Size>(op, kPortSpace + port, value);
}

}  // namespace symsim
