// SPDX-License-Identifier: MIT
// Construction, replacement and a count, and growth of the log of uses; the rest is inline in
// cache.h.
#include "sim/cache/cache.h"

#include <algorithm>

namespace symsim {

// find() looks at two ways without asking how many there are. In a direct-mapped cache the second
// is the next set's line, or the additional line at the end. Neither can match an address of this
// set.
Cache::Cache(const CacheGeometry& geometry)
    : ways_(geometry.ways),
      line_mask_(~(geometry.line_bytes - 1)),
      set_mask_(geometry.size_bytes / geometry.ways - geometry.line_bytes),
      lines_per_byte_((std::uint64_t{geometry.ways} << kFraction) / geometry.line_bytes),
      lines_(geometry.size_bytes / geometry.line_bytes + 1) {}

Line Cache::install(Address a, LineState state, Time at) {
    Line* const set = set_of(a);
    Line* victim = set;
    for (std::uint32_t way = 0; way < ways_; ++way) {
        Line& candidate = set[way];
        if (candidate.state == LineState::invalid) {
            victim = &candidate;
            break;
        }
        if (candidate.used < victim->used) victim = &candidate;
    }
    const Line evicted = *victim;
    victim->address = line_of(a);
    victim->state = state;
    victim->used = at;
    return evicted;
}

// It looks at every line: only the performance monitor asks, and a range may be larger than a
// cache.
std::uint32_t Cache::lines_of(Address first, std::uint32_t bytes) const {
    if (bytes == 0) return 0;
    const Address begin = line_of(first), last = first + (bytes - 1);
    const auto is_within = [&](const Line& line) {
        return line.address != Line::kNoAddress && line.address - begin <= last - begin;
    };
    return static_cast<std::uint32_t>(std::count_if(lines_.begin(), lines_.end(), is_within));
}

void UseLog::grow() {
    const std::size_t full = size();
    uses_.resize(std::max<std::size_t>(2 * full, 256));
    next_ = uses_.data() + full;
    end_ = uses_.data() + uses_.size();
}

}  // namespace symsim
