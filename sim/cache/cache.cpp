// SPDX-License-Identifier: MIT
#include "sim/cache/cache.h"

namespace symsim {

namespace {
unsigned log2_of(std::uint32_t power) {
    return static_cast<unsigned>(__builtin_ctz(power));
}
}  // namespace

Cache::Cache(const CacheGeometry& geometry)
    : ways_(geometry.ways),
      line_mask_(~(geometry.line_bytes - 1)),
      line_shift_(log2_of(geometry.line_bytes)),
      set_mask_(geometry.size_bytes / (geometry.line_bytes * geometry.ways) - 1),
      lines_(geometry.size_bytes / geometry.line_bytes) {}

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
    const Line driven_out = *victim;
    victim->address = line_of(a);
    victim->state = state;
    victim->used = at;
    return driven_out;
}

void Cache::take_back_uses(std::size_t down_to, Time start) {
    for (; taken_back_.size() > down_to; taken_back_.pop_back())
        taken_back_.back().line->used = taken_back_.back().used;
    segment_start_ = start;
}

}  // namespace symsim
