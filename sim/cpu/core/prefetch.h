// SPDX-License-Identifier: MIT
// Whether the prefetcher has, or gets at once, what an instruction stands in: to be inlined where
// instructions begin. What has to be waited for is in processor.cpp.
#pragma once

namespace symsim {

inline bool Processor::in_fetch_line(const Op& op) const {
    return op.in_one_line && cache_.cache().line_of(op.address) == context_.fetch_line;
}

// In sequence, of two lines the first is in the queue, most often.
inline bool Processor::queue_hits(const Op& op) {
    const Cache& cache = cache_.cache();
    return (op.in_one_line || cache.line_of(op.address) == context_.fetch_line) &&
           cache_.queue_hits(cache.line_of(op.last), context_.time);
}

// Behind a branch: the first before the last, as they are entered where one is missing.
inline bool Processor::target_hits(const Op& op, Time time) {
    return cache_.fetch_hits(op.address, time) &&
           (op.in_one_line || cache_.fetch_hits(op.last, time));
}

// What the queue takes to be filled again: the manual's m, which a gate's clocks include, and a
// cache access for each dword.
inline Time Processor::refill_time(const Op& op, Arrival arrival) const {
    const Time components = arrival == Arrival::by_branch ? clock_.cycles(op.components) : 0;
    return components + op.dwords * cache_.hit_wait();
}

}  // namespace symsim
