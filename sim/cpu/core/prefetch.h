// SPDX-License-Identifier: MIT
// The tail of processor.h, which includes it at its end; nothing else may include it.
//
// Inline checks whether the prefetcher has, or gets at once, the cache lines that contain an
// instruction. processor.cpp handles lines that must be waited for.
#pragma once

namespace symsim {

inline bool Processor::in_fetch_line(const Op& op) const {
    return op.in_one_line && cache_.cache().line_of(op.address) == context_.fetch_line;
}

// For an instruction in sequence. If it spans two lines, the first is usually in the queue.
inline bool Processor::queue_hits(const Op& op) {
    const Cache& cache = cache_.cache();
    return (op.in_one_line || cache.line_of(op.address) == context_.fetch_line) &&
           cache_.queue_hits(cache.line_of(op.last), context_.time);
}

// For a branch target. The first line is tried before the last, which is the order of
// enter_lines().
inline bool Processor::target_hits(const Op& op, Time time) {
    return cache_.fetch_hits(op.address, time) &&
           (op.in_one_line || cache_.fetch_hits(op.last, time));
}

// The time to refill the queue: the manual's m (a gate's own clocks include it) and a cache hit's
// wait for each dword.
inline Time Processor::refill_time(const Op& op, Arrival arrival) const {
    const Time components = arrival == Arrival::by_branch ? clock_.cycles(op.components) : 0;
    return components + op.dwords * cache_.hit_wait();
}

}  // namespace symsim
