// SPDX-License-Identifier: MIT
// The paging unit: translates linear addresses, and accesses operands by linear address. The
// translation of most addresses is in the TLB. For others it walks the page tables (PRM 5.2).
//
// A walk goes through the cache and the bus like any access, and only the instruction that needs it
// makes it. A walk is never speculative, so the TLB is never rolled back. A walk that cannot
// continue is made again from its start, like an instruction. The entries it has read are in its
// own log (PageWalk). The walk does not use the log of the instruction: an instruction that is
// executed again finds the translation in the TLB and makes no walk.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "sim/base/types.h"
#include "sim/cpu/mmu/load_store.h"

namespace symsim {

// The 386's translation lookaside buffer: 32 entries in 8 sets of 4 (PRM; nand2mario's articles on
// the 80386, 2026). It is not published which entry of a set a fill replaces. Here the entries of a
// set are replaced in turn.
struct TlbEntry {
    LinearAddress linear = kNone;  // page
    Address physical = 0;          // page
    bool user = false;             // this and writable: allowed by both levels of page tables
    bool writable = false;
    bool dirty = false;
    bool large = false;  // of a page of 4 MB

    static constexpr Address kNone = 1;  // no page starts at an odd address
};

class Tlb {
  public:
    static constexpr Address kPageMask = 0xfff;

    const TlbEntry* find(LinearAddress linear) const {
        const Address page = linear & ~kPageMask;
        for (const TlbEntry& entry : sets_[set(linear)])
            if (entry.linear == page) return &entry;
        return nullptr;
    }
    void fill(const TlbEntry& entry) {
        forget(entry.linear);
        const unsigned s = set(entry.linear);
        sets_[s][next_[s]++ % kWays] = entry;
    }
    void forget(LinearAddress linear) {
        const Address page = linear & ~kPageMask;
        for (TlbEntry& entry : sets_[set(linear)])
            if (entry.linear == page) entry.linear = TlbEntry::kNone;
    }
    // The same for a page of 4 MB, which may be in many entries.
    void forget_large(LinearAddress linear) {
        for (auto& set : sets_)
            for (TlbEntry& entry : set)
                if (entry.large && (entry.linear ^ linear) >> 22 == 0)
                    entry.linear = TlbEntry::kNone;
    }
    void flush() {
        sets_ = {};
        next_ = {};
    }

  private:
    static constexpr unsigned kSets = 8;
    static constexpr unsigned kWays = 4;
    static unsigned set(LinearAddress linear) { return linear >> 12 & (kSets - 1); }

    std::array<std::array<TlbEntry, kWays>, kSets> sets_{};
    std::array<std::uint8_t, kSets> next_{};
};

// The kind of access an address is translated for: a write or a read, by ring 3 or by inner rings.
struct Reach {
    bool write;
    bool user;
};

class PagingUnit : public LoadStore {
  public:
    // The physical address of a linear address as mapped now, if any. Without side effects: for
    // observers.
    std::optional<Address> look_up(LinearAddress linear) const;

    // --- what instructions that change System use ----------------------------------------------
    // Access by linear address, with the rights of ring 0 or, if `user`, of ring 3.
    bool read_system(LinearAddress linear, unsigned size, std::uint32_t& value, bool user = false);
    bool write_system(LinearAddress linear, unsigned size, std::uint32_t value, bool user = false);
    // Clears and sets bits of a byte by a locked update.
    bool update_system(LinearAddress linear, std::uint8_t clear, std::uint8_t set);
    void flush_tlb() {
        tlb_.flush();
        core_.close_window();
    }
    void flush_tlb(LinearAddress linear) {
        tlb_.forget(linear);
        tlb_.forget_large(linear);
        core_.close_window();
    }

  protected:
    using LoadStore::LoadStore;

    enum class Translation : std::uint8_t { found, not_in_tlb, not_allowed };
    // What the TLB says about an access. If found, sets the physical address.
    Translation find_in_tlb(LinearAddress linear, Reach reach, Address& physical) const;
    // As find_in_tlb(), and walks the page tables if necessary. False: the access faults, or the
    // walk cannot be made now.
    bool translate(LinearAddress linear, Reach reach, Address& physical);
    bool locate(LinearAddress linear, unsigned size, unsigned first, Reach reach, Time offset,
                std::array<Address, 2>& physical);
    bool read_linear(const Op& op, LinearAddress linear, unsigned size, Reach reach,
                     std::uint32_t& value);
    bool write_linear(const Op& op, LinearAddress linear, unsigned size, Reach reach,
                      std::uint32_t value);
    // Access an operand whose first `first` bytes are at physical[0], and the rest at physical[1].
    bool read_parts(const Op& op, const std::array<Address, 2>& physical, unsigned first,
                    unsigned size, std::uint32_t& value) {
        if (!load(op, physical[0], first, value)) return false;
        if (first < size) {
            std::uint32_t high = 0;
            core_.split();
            if (!load(op, physical[1], size - first, high)) return false;
            value |= high << 8 * first;
        }
        ++core_.execution.loads;
        return true;
    }
    bool write_parts(const Op& op, const std::array<Address, 2>& physical, unsigned first,
                     unsigned size, std::uint32_t value) {
        const std::uint32_t low = first == 4 ? value : value & ((1u << 8 * first) - 1);
        if (!store(op, physical[0], first, low)) return false;
        if (first < size) {
            core_.split();
            if (!store(op, physical[1], size - first, value >> 8 * first)) return false;
        }
        ++core_.execution.stores;
        return true;
    }
    Tlb tlb_;

  private:
    bool allowed(bool user, bool writable, Reach reach) const;
    // Whether an entry of the directory is that of a page of 4 MB.
    bool is_large(std::uint32_t entry) const;
    bool walk(LinearAddress linear, Reach reach, Address& physical);
    bool may_walk(Time at);
    bool walk_read(Address address, std::uint32_t& entry, bool locked = false);
    bool walk_set(Address address, std::uint32_t bits);
    bool finish_walk_access(Access outcome, Time at, Address address, std::uint32_t value);
    bool page_fault(LinearAddress linear, Reach reach, bool present);
};

// Rings 0 to 2 may access every page on a 386. On a 486 the bit WP of cr0 makes them honour
// read-only pages.
inline bool PagingUnit::allowed(bool user, bool writable, Reach reach) const {
    if (reach.user) return user && (writable || !reach.write);
    return writable || !reach.write || core_.isa == Isa::i386 ||
           !(core_.system.cr0 & cr0::kWriteProtect);
}

inline PagingUnit::Translation PagingUnit::find_in_tlb(LinearAddress linear, Reach reach,
                                                       Address& physical) const {
    if (!core_.system.paging()) {
        physical = linear;
        return Translation::found;
    }
    const TlbEntry* const entry = tlb_.find(linear);
    if (!entry) return Translation::not_in_tlb;
    if (!allowed(entry->user, entry->writable, reach)) return Translation::not_allowed;
    // The first write to a page must set its dirty bit.
    if (reach.write && !entry->dirty) return Translation::not_in_tlb;
    physical = entry->physical | (linear & Tlb::kPageMask);
    return Translation::found;
}

}  // namespace symsim
