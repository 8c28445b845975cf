// SPDX-License-Identifier: MIT
// The 386's translation lookaside buffer: 32 entries in 8 sets of 4 (PRM; nand2mario's articles on
// the 80386, 2026). It is not published which entry of a set a fill replaces. Here the entries of a
// set are replaced in turn.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/types.h"

namespace symsim {

struct TlbEntry {
    LinearAddress linear = kNone;  // page
    Address physical = 0;          // page
    bool user = false;             // this and writable: allowed by both levels of page tables
    bool writable = false;
    bool dirty = false;

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

}  // namespace symsim
