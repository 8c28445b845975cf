// SPDX-License-Identifier: MIT
// The tags of one cache: which lines it contains, in which state, and when it last used each.
//
// The simulator keeps no bytes in caches: all bytes are in Memory, also those of modified lines.
// A load reads Memory and puts bytes over it that the own write buffer still has. The protocol
// ensures that no other processor reads a modified line before its owner has supplied it or written
// it back. tests/coherence checks that.
//
// Replacement is LRU. The victim of a fill is the line with the earliest time of last use, so the
// cache needs no LRU bits. An engine compares the same time with that of a snoop, and can restore
// it (UseLog).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cache/cache_config.h"
#include "sim/cache/use_log.h"
#include "sim/protocol/line_state.h"

namespace symsim {

struct Line {
    Address address = kNoAddress;  // of its first byte
    LineState state = LineState::invalid;
    Time used = 0;

    // No line starts at an odd address, so an invalid line never matches.
    static constexpr Address kNoAddress = 1;
};

class Cache {
  public:
    explicit Cache(const CacheGeometry& geometry);
    Cache(const Cache&) = delete;
    Cache& operator=(const Cache&) = delete;

    Address line_of(Address a) const { return a & line_mask_; }
    unsigned line_bytes() const { return ~line_mask_ + 1; }

    // The line that contains `a`, or null.
    Line* find(Address a) {
        const Address wanted = line_of(a);
        Line* const set = set_of(a);
        if (set[0].address == wanted) return set;
        if (set[1].address == wanted) return set + 1;
        for (std::uint32_t way = 2; way < ways_; ++way)
            if (set[way].address == wanted) return &set[way];
        return nullptr;
    }

    void use(Line& line, Time at) {
        uses_.make_room();
        uses_at_once(line, at);
    }
    // As use(), but without a function call. Returns false and does nothing if the log is full.
    bool uses_at_once(Line& line, Time at) {
        if (!uses_.add(&line, line.used)) return false;
        line.used = at;
        return true;
    }
    // First uses since a time that an engine sets. Empty unless it does.
    UseLog& uses() { return uses_; }
    const UseLog& uses() const { return uses_; }

    // Replaces the line of the set that was used longest ago, or an invalid one. Returns the line
    // that was replaced.
    Line install(Address a, LineState state, Time at);
    static void invalidate(Line& line) {
        line.address = Line::kNoAddress;
        line.state = LineState::invalid;
    }

    // How many lines the cache has of the range, also those that begin or end outside of it.
    std::uint32_t lines_of(Address first, std::uint32_t bytes) const;

    const std::vector<Line>& lines() const { return lines_; }

  private:
    std::size_t first_of_set(Address a) const {
        return static_cast<std::size_t>((a & set_mask_) * lines_per_byte_ >> kFraction);
    }
    Line* set_of(Address a) { return &lines_[first_of_set(a)]; }

    static constexpr unsigned kFraction = 24;
    std::uint32_t ways_;
    Address line_mask_;
    Address set_mask_;              // the part of an address that selects the set
    std::uint64_t lines_per_byte_;  // ways_ / line_bytes(), as a fixed-point number (kFraction)
    std::vector<Line> lines_;       // set by set, and one more that is always invalid
    UseLog uses_;
};

}  // namespace symsim
