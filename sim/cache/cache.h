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

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cache/cache_config.h"
#include "sim/protocol/protocol_rows.h"

namespace symsim {

struct Line {
    Address address = kNoAddress;  // of its first byte
    LineState state = LineState::invalid;
    Time used = 0;

    // No line starts at an odd address, so an invalid line never matches.
    static constexpr Address kNoAddress = 1;
};

// The first use of each line since a time, with the time of the line's last use before. The cache
// adds the uses. An engine that may have to restore the earlier times reads them.
class UseLog {
  public:
    struct Use {
        Line* line = nullptr;
        Time before = 0;
    };

    // Begins an empty log of uses later than `since`.
    void begin(Time since) {
        next_ = uses_.data();
        since_ = since;
    }
    // From now on a use later than `since` is a first use again.
    void continue_from(Time since) { since_ = since; }
    // Shortens the log to its first `size` uses. It is then of uses later than `since`.
    void cut(std::size_t size, Time since) {
        next_ = uses_.data() + size;
        since_ = since;
    }
    std::size_t size() const { return static_cast<std::size_t>(next_ - uses_.data()); }
    const Use& operator[](std::size_t number) const { return uses_[number]; }

    // For the cache: a line that was last used at `used` is about to be used again. Adds that use
    // if it is a first use. Returns false and does nothing if there is no room.
    bool add(Line* line, Time used) {
        if (used > since_) return true;
        if (next_ == end_) return false;
        *next_++ = {line, used};
        return true;
    }
    // Afterwards add() has room.
    void make_room() {
        if (next_ == end_) grow();
    }

  private:
    void grow();

    std::vector<Use> uses_;  // up to `next_`
    Use* next_ = nullptr;
    Use* end_ = nullptr;
    Time since_ = -1;  // -1: nothing is logged, since no use is that early
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
