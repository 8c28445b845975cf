// SPDX-License-Identifier: MIT
// Translation of linear addresses: TLB, two-level page tables in memory, accessed and dirty bits
// (PRM 5.2). A walk goes through the cache and the bus like any access, and only the instruction
// that needs it makes it. A walk is never speculative, so the TLB is never rolled back.
//
// A walk that cannot continue is made again from its start, like an instruction. The entries it has
// read are in its own log (PageWalk). The walk does not use the log of the instruction: an
// instruction that is executed again finds the translation in the TLB and makes no walk.
#include <fmt/format.h>

#include "sim/cpu/core/processor.h"
#include "sim/cpu/isa/clocks.h"

namespace symsim {

namespace {

enum Entry : std::uint32_t {
    kPresent = 1u << 0,
    kWritable = 1u << 1,
    kUser = 1u << 2,
    kAccessed = 1u << 5,
    kDirty = 1u << 6,
    kFrame = 0xffff'f000,
};

// Whether a walk that ends in a page fault sets the accessed bit of the directory's entry. The
// manual ties the bits to an access of the page (PRM 5.2.4.3), and a fault makes none. Bochs sets
// none either, QEMU sets the bit.
constexpr bool kFaultMarksDirectory = false;

}  // namespace

bool Processor::translate(LinearAddress linear, Reach reach, Address& physical) {
    if (!system_.paging()) {
        physical = linear;
        return true;
    }
    const TlbEntry* const entry = tlb_.find(linear);
    if (!entry) return walk(linear, reach, physical);
    if (!allowed(entry->user, entry->writable, reach)) return page_fault(linear, reach, true);
    // The first write to a page must set its dirty bit.
    if (reach.write && !entry->dirty) return walk(linear, reach, physical);
    physical = entry->physical | (linear & Tlb::kPageMask);
    return true;
}

bool Processor::walk(LinearAddress linear, Reach reach, Address& physical) {
    walk_.next = 0;
    const Address directory = (system_.cr3 & kFrame) + (linear >> 22) * 4;
    std::uint32_t upper, lower;
    if (!walk_read(directory, upper)) return false;
    if (!(upper & kPresent)) return page_fault(linear, reach, false);
    const Address table = (upper & kFrame) + (linear >> 12 & 0x3ff) * 4;
    if (!walk_read(table, lower)) return false;
    const bool user = upper & lower & kUser;
    const bool writable = upper & lower & kWritable;
    const bool present = lower & kPresent;
    const bool faults = !present || !allowed(user, writable, reach);
    if (!(upper & kAccessed) && (kFaultMarksDirectory || !faults) &&
        !walk_set(directory, kAccessed))
        return false;
    if (faults) return page_fault(linear, reach, present);
    const std::uint32_t wanted = reach.write ? kAccessed | kDirty : kAccessed;
    if ((lower & wanted) != wanted && !walk_set(table, wanted)) return false;
    context_.time += clock_.cycles(kPageWalkClocks);
    walk_.made = 0;
    const bool dirty = reach.write || lower & kDirty;
    tlb_.fill({linear & kFrame, lower & kFrame, user, writable, dirty});
    physical = (lower & kFrame) | (linear & Tlb::kPageMask);
    return true;
}

bool Processor::walk_read(Address address, std::uint32_t& entry) {
    if (walk_.next < walk_.made) {
        entry = walk_.log[walk_.next++];
        return true;
    }
    const Time at = context_.time + walk_.offset;
    if (at > commit_time_ || at >= limit_) return pause(at, StopReason::retry);
    const Access outcome = cache_.load(address, 4, access_time(at), entry);
    return finish_walk_access(outcome, at, address, entry);
}

// Sets bits of an entry by a locked update. Only the line of the entry is unlocked: the instruction
// may have locked another.
bool Processor::walk_set(Address address, std::uint32_t bits) {
    std::uint32_t entry = 0;
    if (walk_.next < walk_.made) {
        entry = walk_.log[walk_.next++];
    } else {
        const Time at = context_.time + walk_.offset;
        if (at > commit_time_ || at >= limit_) return pause(at, StopReason::retry);
        const Access outcome = cache_.locked_load(address, 4, access_time(at), entry);
        if (!finish_walk_access(outcome, at, address, entry)) return false;
    }
    if (walk_.next < walk_.made) {
        ++walk_.next;
        return true;
    }
    const Time at = context_.time + walk_.offset;
    if (at > commit_time_ || at >= limit_) return pause(at, StopReason::retry);
    const Access outcome = cache_.locked_store(address, 4, access_time(at), entry | bits);
    if (!finish_walk_access(outcome, at, address, 0)) return false;
    cache_.unlock(address, access_time(at));
    return true;
}

bool Processor::finish_walk_access(Access outcome, Time at, Address address, std::uint32_t value) {
    if (outcome == Access::unmapped)
        return fail(fmt::format("a page table at {:#010x}, where there is no memory", address),
                    "look at cr3 and the page directory it points to");
    if (!finish_access(outcome, at)) return false;
    context_.time += clock_.cycles(2);
    if (outcome == Access::hit) context_.time += cache_.hit_wait();
    context_.last_access = at;
    walk_.log[walk_.made++] = value;
    walk_.next = walk_.made;
    return true;
}

// Bits of the error code: the page is present, the access was a write, it was made by ring 3 (PRM
// 9.8.14).
bool Processor::page_fault(LinearAddress linear, Reach reach, bool present) {
    const std::uint32_t code =
        (present ? 1u : 0u) | (reach.write ? 2u : 0u) | (reach.user ? 4u : 0u);
    if (std::max(context_.time, context_.last_access) <= commit_time_) system_.cr2 = linear;
    return raise(Fault::page, code);
}

std::optional<Address> Processor::look_up(LinearAddress linear) const {
    if (!system_.paging()) return linear;
    const Memory& memory = cache_.memory();
    const auto entry_at = [&](Address a) { return memory.contains(a, 4) ? cache_.peek(a, 4) : 0u; };
    if (const TlbEntry* entry = tlb_.find(linear))
        return entry->physical | (linear & Tlb::kPageMask);
    const std::uint32_t upper = entry_at((system_.cr3 & kFrame) + (linear >> 22) * 4);
    if (!(upper & kPresent)) return std::nullopt;
    const std::uint32_t lower = entry_at((upper & kFrame) + (linear >> 12 & 0x3ff) * 4);
    if (!(lower & kPresent)) return std::nullopt;
    return (lower & kFrame) | (linear & Tlb::kPageMask);
}

}  // namespace symsim
