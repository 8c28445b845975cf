// SPDX-License-Identifier: MIT
// Accesses by linear address, and the walk through two-level page tables in memory with its
// accessed and dirty bits (PRM 5.2).
#include "sim/cpu/mmu/paging_unit.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cpu/isa/clocks.h"

namespace symsim {

namespace {

// The op of accesses that the processor makes on its own: they are not locked, and their clocks are
// charged elsewhere.
const Op kNoOp;

enum Entry : std::uint32_t {
    kPresent = 1u << 0,
    kWritable = 1u << 1,
    kUser = 1u << 2,
    kAccessed = 1u << 5,
    kDirty = 1u << 6,
    kLarge = 1u << 7,  // in the directory, on a 586: a page of 4 MB
    kFrame = 0xffff'f000,
    kLargeFrame = 0xffc0'0000,
};

// Whether a walk that ends in a page fault sets the accessed bit of the directory's entry. The
// manual ties the bits to an access of the page (PRM 5.2.4.3), and a fault makes none. Bochs sets
// none either, QEMU sets the bit.
constexpr bool kFaultMarksDirectory = false;

// The frame of 4 KB with `linear`, in a page of 4 KB or of 4 MB.
Address frame_of(std::uint32_t entry, bool large, LinearAddress linear) {
    return large ? (entry & kLargeFrame) | (linear & kFrame & ~kLargeFrame) : entry & kFrame;
}

}  // namespace

bool PagingUnit::translate(LinearAddress linear, Reach reach, Address& physical) {
    switch (find_in_tlb(linear, reach, physical)) {
        case Translation::found:
            return true;
        case Translation::not_in_tlb:
            return walk(linear, reach, physical);
        case Translation::not_allowed:
            break;
    }
    return page_fault(linear, reach, true);
}

bool PagingUnit::is_large(std::uint32_t entry) const {
    return entry & kLarge && core_.system.cr4 & cr4::kPageSize;
}

bool PagingUnit::walk(LinearAddress linear, Reach reach, Address& physical) {
    core_.walk.next = 0;
    const Address directory = (core_.system.cr3 & kFrame) + (linear >> 22) * 4;
    std::uint32_t upper, lower;
    if (!walk_read(directory, upper)) return false;
    if (!(upper & kPresent)) return page_fault(linear, reach, false);
    const bool large = is_large(upper);
    const Address table = (upper & kFrame) + (linear >> 12 & 0x3ff) * 4;
    if (large)
        lower = upper;
    else if (!walk_read(table, lower))
        return false;
    const bool user = upper & lower & kUser;
    const bool writable = upper & lower & kWritable;
    const bool present = lower & kPresent;
    const bool faults = !present || !allowed(user, writable, reach);
    if (!large && !(upper & kAccessed) && (kFaultMarksDirectory || !faults) &&
        !walk_set(directory, kAccessed))
        return false;
    if (faults) return page_fault(linear, reach, present);
    const std::uint32_t wanted = reach.write ? kAccessed | kDirty : kAccessed;
    if ((lower & wanted) != wanted && !walk_set(large ? directory : table, wanted)) return false;
    core_.context.time += core_.clock.cycles(kPageWalkClocks);
    core_.walk.made = 0;
    const bool dirty = reach.write || lower & kDirty;
    const Address frame = frame_of(lower, large, linear);
    tlb_.fill({linear & kFrame, frame, user, writable, dirty, large});
    physical = frame | (linear & Tlb::kPageMask);
    return true;
}

// Whether an access of a walk may be made at `at`. If not, the processor stops.
bool PagingUnit::may_walk(Time at) {
    return (at <= core_.commit_time && at < core_.limit) || core_.pause(at, StopReason::retry);
}

bool PagingUnit::walk_read(Address address, std::uint32_t& entry, bool locked) {
    if (core_.walk.next < core_.walk.made) {
        entry = core_.walk.log[core_.walk.next++];
        return true;
    }
    const Time at = core_.context.time + core_.walk.offset;
    if (!may_walk(at)) return false;
    const Access outcome = locked ? cache_.locked_load(address, 4, access_time(at), entry)
                                  : cache_.load(address, 4, access_time(at), entry);
    return finish_walk_access(outcome, at, address, entry);
}

// Sets bits of an entry by a locked update. Only the line of the entry is unlocked: the instruction
// may have locked another.
bool PagingUnit::walk_set(Address address, std::uint32_t bits) {
    std::uint32_t entry = 0;
    if (!walk_read(address, entry, true)) return false;
    if (core_.walk.next < core_.walk.made) {
        ++core_.walk.next;
        return true;
    }
    const Time at = core_.context.time + core_.walk.offset;
    if (!may_walk(at)) return false;
    const Access outcome = cache_.locked_store(address, 4, access_time(at), entry | bits);
    if (!finish_walk_access(outcome, at, address, 0)) return false;
    cache_.unlock(address, access_time(at));
    return true;
}

bool PagingUnit::finish_walk_access(Access outcome, Time at, Address address, std::uint32_t value) {
    if (outcome == Access::unmapped)
        return fail(fmt::format("a page table at {:#010x}, where there is no memory", address),
                    "look at cr3 and the page directory it points to");
    if (!finish_access(outcome, at)) return false;
    core_.context.time += core_.clock.cycles(2);
    if (outcome == Access::hit) core_.context.time += cache_.hit_wait();
    core_.context.last_access = at;
    core_.walk.log[core_.walk.made++] = value;
    core_.walk.next = core_.walk.made;
    return true;
}

// Bits of the error code: the page is present, the access was a write, it was made by ring 3 (PRM
// 9.8.14).
bool PagingUnit::page_fault(LinearAddress linear, Reach reach, bool present) {
    const std::uint32_t code =
        (present ? 1u : 0u) | (reach.write ? 2u : 0u) | (reach.user ? 4u : 0u);
    if (core_.now() <= core_.commit_time) core_.system.cr2 = linear;
    return raise(Fault::page, code);
}

std::optional<Address> PagingUnit::look_up(LinearAddress linear) const {
    if (!core_.system.paging()) return linear;
    const Memory& memory = cache_.memory();
    const auto entry_at = [&](Address a) { return memory.contains(a, 4) ? cache_.peek(a, 4) : 0u; };
    if (const TlbEntry* entry = tlb_.find(linear))
        return entry->physical | (linear & Tlb::kPageMask);
    const std::uint32_t upper = entry_at((core_.system.cr3 & kFrame) + (linear >> 22) * 4);
    if (!(upper & kPresent)) return std::nullopt;
    if (is_large(upper)) return frame_of(upper, true, linear) | (linear & Tlb::kPageMask);
    const std::uint32_t lower = entry_at((upper & kFrame) + (linear >> 12 & 0x3ff) * 4);
    if (!(lower & kPresent)) return std::nullopt;
    return (lower & kFrame) | (linear & Tlb::kPageMask);
}

// Translates both parts of an operand before either is accessed, so that a fault in the second part
// leaves the first unchanged. A part that has been accessed is not translated again, since its
// entry may have left the TLB.
bool PagingUnit::locate(LinearAddress linear, unsigned size, unsigned first, Reach reach,
                        Time offset, std::array<Address, 2>& physical) {
    core_.walk.offset = offset;
    if (core_.execution.next_access >= core_.context.accesses &&
        !translate(linear, reach, physical[0]))
        return false;
    return first >= size || core_.execution.next_access + 1 < core_.context.accesses ||
           translate(linear + first, reach, physical[1]);
}

bool PagingUnit::read_linear(const Op& op, LinearAddress linear, unsigned size, Reach reach,
                             std::uint32_t& value) {
    const unsigned first = std::min(size, 4 - (linear & 3));
    std::array<Address, 2> physical{};
    return locate(linear, size, first, reach, core_.load_offset(), physical) &&
           read_parts(op, physical, first, size, value);
}

bool PagingUnit::write_linear(const Op& op, LinearAddress linear, unsigned size, Reach reach,
                              std::uint32_t value) {
    const unsigned first = std::min(size, 4 - (linear & 3));
    std::array<Address, 2> physical{};
    return locate(linear, size, first, reach, store_offset(op), physical) &&
           write_parts(op, physical, first, size, value);
}

bool PagingUnit::read_system(LinearAddress linear, unsigned size, std::uint32_t& value, bool user) {
    return read_linear(kNoOp, linear, size, {false, user}, value);
}

bool PagingUnit::write_system(LinearAddress linear, unsigned size, std::uint32_t value, bool user) {
    return write_linear(kNoOp, linear, size, {true, user}, value);
}

// A locked update of one byte: two accesses in the log.
bool PagingUnit::update_system(LinearAddress linear, std::uint8_t clear, std::uint8_t set) {
    static const Op locked = [] {
        Op op;
        op.locked = true;
        return op;
    }();
    // If the load has been made and the store has not, the store needs the physical address. Its
    // translation is in the TLB.
    Address physical = 0;
    core_.walk.offset = core_.load_offset();
    const bool made = core_.execution.next_access + 1 < core_.context.accesses;
    if (!made && !translate(linear, {true, false}, physical)) return false;
    std::uint32_t value;
    if (!load(locked, physical, 1, value)) return false;
    ++core_.execution.loads;
    if (!store(locked, physical, 1, (value & ~std::uint32_t{clear}) | set)) return false;
    ++core_.execution.stores;
    if (!made) cache_.unlock(physical, access_time(core_.context.last_access));
    return true;
}

}  // namespace symsim
