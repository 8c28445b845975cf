// SPDX-License-Identifier: MIT
// The 386's translation lookaside buffer: 32 entries, 8 sets of 4 (hardware.md section 2). Which
// entry of a set a fill replaces is not published: here they take turns.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/types.h"

namespace symsim {

struct TlbEntry {
    LinearAddress linear = kNone;  // page
    Address physical = 0;          // page
    bool user = false;             // these three: allowed by both levels
    bool writable = false;
    bool dirty = false;

    template <class Archive>
    void serialize(Archive& archive) {
        archive(linear, physical, user, writable, dirty);
    }

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
    template <class Archive>
    void serialize(Archive& archive) {
        archive(sets_, next_);
    }

  private:
    static constexpr unsigned kSets = 8;
    static constexpr unsigned kWays = 4;
    static unsigned set(LinearAddress linear) { return linear >> 12 & (kSets - 1); }

    std::array<std::array<TlbEntry, kWays>, kSets> sets_{};
    std::array<std::uint8_t, kSets> next_{};
};

}  // namespace symsim
