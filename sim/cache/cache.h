// SPDX-License-Identifier: MIT
// Which lines a cache holds, and when it last used each. The bytes themselves are in memory: a
// valid line always equals it, and what its own processor has written but not yet got onto the bus
// is laid over it by the write buffer. Of a modified line memory has, for the host, what only its
// owner can see: that nobody else does, and that real memory gets it in time, is what the protocol
// is for, and what the coherence tester looks at.
//
// The victim of a fill is the line used longest ago, so recency needs no bits of its own, and a
// snoop can ask whether a line was used at or after its time. A processor that runs ahead may
// have to take back such uses: while a segment is open, the first use of each line in it is
// remembered (design.md section 6).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

// Valid is all that write-through knows. Exclusive: valid, and in no other cache; modified: the
// same, and memory does not have it yet.
enum class LineState : std::uint8_t { invalid, shared, exclusive, modified };

struct Line {
    Address address = kNoAddress;  // of its first byte
    LineState state = LineState::invalid;
    Time used = 0;

    template <class Archive>
    void serialize(Archive& archive) {
        archive(address, state, used);
    }

    // No line starts at an odd address, so an invalid one never matches.
    static constexpr Address kNoAddress = 1;
};

struct CacheGeometry {
    std::uint32_t size_bytes;
    std::uint32_t ways;
    std::uint32_t line_bytes;
};

class Cache {
  public:
    explicit Cache(const CacheGeometry& geometry);
    Cache(const Cache&) = delete;
    Cache& operator=(const Cache&) = delete;

    Address line_of(Address a) const { return a & line_mask_; }
    unsigned line_bytes() const { return ~line_mask_ + 1; }

    // The line that holds `a`, or null.
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
        if (next_use_ == room_end_) make_room();
        uses_at_once(line, at);
    }
    // The same without calling a function: false, and nothing done, where there is no room to
    // remember its earlier use.
    bool uses_at_once(Line& line, Time at) {
        if (line.used <= window_start_) {
            if (next_use_ == room_end_) return false;
            *next_use_++ = {&line, line.used};
        }
        line.used = at;
        return true;
    }

    // Puts a line in the place of its set's oldest, which is returned.
    Line install(Address a, LineState state, Time at);
    static void drop(Line& line) {
        line.address = Line::kNoAddress;
        line.state = LineState::invalid;
    }

    // Uses from `start` on can be taken back, until the next call.
    void begin_window(Time start) {
        next_use_ = earlier_.data();
        window_start_ = start;
    }
    // Those from a later `start` on, also by themselves: down to as many as uses() says now.
    void split_window(Time start) { window_start_ = start; }
    std::size_t uses() const { return static_cast<std::size_t>(next_use_ - earlier_.data()); }
    // What has been used since `from`, behind the last division, which remembers `first` uses and
    // more, has been used so again and again, the last time `later` by that much.
    void repeat_uses(std::size_t first, Time from, Time later) {
        for (const EarlierUse* use = earlier_.data() + first; use != next_use_; ++use)
            if (use->line->used >= from) use->line->used += later;
    }
    void roll_back_uses(std::size_t down_to, Time start);

    // With nothing ahead.
    template <class Archive>
    void serialize(Archive& archive) {
        archive(lines_);
    }

  private:
    struct EarlierUse {
        Line* line = nullptr;
        Time used = 0;
    };
    void make_room();
    Line* set_of(Address a) {
        return &lines_[static_cast<std::size_t>((a & set_mask_) * lines_per_byte_ >> kFraction)];
    }

    static constexpr unsigned kFraction = 24;
    std::uint32_t ways_;
    Address line_mask_;
    Address set_mask_;                 // the part of an address that says which set
    std::uint64_t lines_per_byte_;     // of the distance between two sets, as a binary fraction
    std::vector<Line> lines_;          // set by set, and one that is never valid
    std::vector<EarlierUse> earlier_;  // can be taken back to, up to `next_use_`
    EarlierUse* next_use_ = nullptr;
    EarlierUse* room_end_ = nullptr;
    Time window_start_ = -1;  // closed: no line is older
};

}  // namespace symsim
