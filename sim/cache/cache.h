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
enum class LineState : std::uint8_t { invalid, valid, exclusive, modified };

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
    std::uint32_t size_bytes = 65536;
    std::uint32_t ways = 2;
    std::uint32_t line_bytes = 16;
};

class Cache {
  public:
    explicit Cache(const CacheGeometry& geometry);

    Address line_of(Address a) const { return a & line_mask_; }

    // The line that holds `a`, or null.
    Line* find(Address a) {
        const Address wanted = line_of(a);
        Line* line = set_of(a);
        if (line->address == wanted) return line;
        for (Line* const end = line + ways_; ++line != end;)
            if (line->address == wanted) return line;
        return nullptr;
    }

    void use(Line& line, Time at) {
        if (line.used <= segment_start_) remember(line);
        line.used = at;
    }

    // Puts a line in the place of its set's oldest, which is returned.
    Line install(Address a, LineState state, Time at);
    static void drop(Line& line) {
        line.address = Line::kNoAddress;
        line.state = LineState::invalid;
    }

    // Uses from `start` on can be taken back, until the next call.
    void open_segment(Time start) {
        taken_back_.clear();
        segment_start_ = start;
    }
    // Those from a later `start` on, also by themselves: down to as many as uses() says now.
    void divide_segment(Time start) { segment_start_ = start; }
    std::size_t uses() const { return taken_back_.size(); }
    void take_back_uses(std::size_t down_to, Time start);

    // With nothing ahead.
    template <class Archive>
    void serialize(Archive& archive) {
        archive(lines_);
    }

  private:
    struct EarlierUse {
        Line* line;
        Time used;
    };
    void remember(Line& line) { taken_back_.push_back({&line, line.used}); }
    Line* set_of(Address a) { return &lines_[(a >> line_shift_ & set_mask_) * ways_]; }

    std::uint32_t ways_;
    Address line_mask_;
    unsigned line_shift_;
    std::uint32_t set_mask_;
    std::vector<Line> lines_;
    std::vector<EarlierUse> taken_back_;
    Time segment_start_ = -1;  // closed: no line is older
};

}  // namespace symsim
