// SPDX-License-Identifier: MIT
// The segmentation unit: checks operands against their segments, and turns offsets into linear
// addresses. So it is what instruction handlers access memory with.
//
// In most segments every offset is a physical address (System::plain_reads, plain_writes). Offsets
// in other segments are checked here and translated by the paging unit.
#pragma once

#include <cstdint>

#include "sim/cpu/mmu/paging_unit.h"

namespace symsim {

class SegmentationUnit : public PagingUnit {
  public:
    static constexpr bool k32BitAddressesOnly = false;  // the address size must be checked

    // Access one operand of 1, 2 or 4 bytes, in Op::segment or in the segment given. False: the
    // access cannot be made now. The handler must then return false, and the instruction will be
    // executed again from its start. Every instruction makes its loads before its stores, and
    // changes registers only after both.
    template <unsigned Size>
    bool read(const Op& op, Offset offset, std::uint32_t& value) {
        return read_at<Size>(op, op.segment, offset, value);
    }
    template <unsigned Size>
    bool write(const Op& op, Offset offset, std::uint32_t value) {
        return write_at<Size>(op, op.segment, offset, value);
    }
    template <unsigned Size>
    bool read_at(const Op& op, Seg segment, Offset offset, std::uint32_t& value) {
        if (core_.system.plain_reads >> segment & 1) return read_physical<Size>(op, offset, value);
        return read_checked(op, segment, offset, Size, false, value);
    }
    template <unsigned Size>
    bool write_at(const Op& op, Seg segment, Offset offset, std::uint32_t value) {
        if (core_.system.plain_writes >> segment & 1)
            return write_physical<Size>(op, offset, value);
        return write_checked(op, segment, offset, Size, value);
    }
    // Reads an operand that the instruction will also write. Faults now if the operand is not
    // writable.
    template <unsigned Size>
    bool read_for_write(const Op& op, Offset offset, std::uint32_t& value) {
        if (core_.system.plain_writes >> op.segment & 1)
            return read_physical<Size>(op, offset, value);
        return read_checked(op, op.segment, offset, Size, true, value);
    }
    // Checks a write without making it. False: the write would fault (the exception is raised), or
    // the check cannot be made now.
    template <unsigned Size>
    bool probe_write(Seg segment, Offset offset) {
        return core_.system.plain_writes >> segment & 1 || probe_checked(segment, offset, Size);
    }
    // Finds the physical address of an operand, if neither a fault nor a page walk prevents it.
    // Without side effects: for the fast path, which leaves other operands to the functions above.
    bool finds(Seg segment, Offset offset, unsigned size, bool write, Address& physical) const {
        const System& system = core_.system;
        physical = offset;
        if ((write ? system.plain_writes : system.plain_reads) >> segment & 1) return true;
        return system.allows(segment, offset, size, write) &&
               find_in_tlb(system.segments[segment].base + offset, {write, system.cpl == 3},
                           physical) == Translation::found;
    }
    // To be called by xchg before its accesses: makes both at once where the cache does so.
    bool exchange(const Op& op, Offset offset, unsigned size, std::uint32_t value) {
        return !cache_.exchanges() || core_.again() || exchange_slow(op, offset, size, value);
    }
    // I/O ports. If no device answers, a read gives all ones and a write has no effect.
    template <unsigned Size>
    bool read_port(const Op& op, std::uint32_t port, std::uint32_t& value) {
        core_.execution.at_port = true;
        const bool made = read_physical<Size>(op, kPortSpace + port, value);
        core_.execution.at_port = false;
        return made;
    }
    template <unsigned Size>
    bool write_port(const Op& op, std::uint32_t port, std::uint32_t value) {
        core_.execution.at_port = true;
        const bool made = write_physical<Size>(op, kPortSpace + port, value);
        core_.execution.at_port = false;
        return made;
    }
    // Checks an offset in cs. False: it is beyond the segment's limit, and the fault is raised.
    bool check_target(Offset target) {
        return target <= core_.system.segments[cs].limit || raise(Fault::general_protection);
    }
    // Takes a branch to an offset in cs, if check_target() allows it. The manual's m and the refill
    // of the prefetch queue are charged to the target instruction.
    bool branch(Offset target) {
        if (!check_target(target)) return false;
        core_.go_to(target, Arrival::by_branch);
        return true;
    }
    bool branch_by(const Op& op) {
        const Offset target = core_.next_eip + op.immediate;
        return branch(op.operand_size == 2 ? target & 0xffff : target);
    }
    // To be called after a change of segments, cr0 or the mode.
    void system_changed();

  protected:
    using PagingUnit::PagingUnit;

  private:
    template <unsigned Size>
    bool read_physical(const Op& op, Address address, std::uint32_t& value) {
        if (is_split(address, Size)) return read_split(op, address, Size, value);
        if (!load(op, address, Size, value)) return false;
        ++core_.execution.loads;
        return true;
    }
    template <unsigned Size>
    bool write_physical(const Op& op, Address address, std::uint32_t value) {
        if (is_split(address, Size)) return write_split(op, address, Size, value);
        if (!store(op, address, Size, value)) return false;
        ++core_.execution.stores;
        return true;
    }
    bool read_split(const Op& op, Address address, unsigned size, std::uint32_t& value);
    bool write_split(const Op& op, Address address, unsigned size, std::uint32_t value);
    bool read_checked(const Op& op, Seg segment, Offset offset, unsigned size, bool will_write,
                      std::uint32_t& value);
    bool write_checked(const Op& op, Seg segment, Offset offset, unsigned size,
                       std::uint32_t value);
    bool probe_checked(Seg segment, Offset offset, unsigned size);
    bool exchange_slow(const Op& op, Offset offset, unsigned size, std::uint32_t value);
    bool check_segment(Seg segment, Offset offset, unsigned size, bool write);
};

}  // namespace symsim
