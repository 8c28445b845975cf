// SPDX-License-Identifier: MIT
// Whether the prefetcher has, or gets at once, what an instruction stands in: to be inlined where
// instructions begin. What has to be waited for is in processor.cpp.
#pragma once

#include "sim/cpu/processor.h"

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
inline bool Processor::target_hits(const Op& op) {
    return cache_.fetch_hits(op.address, context_.time) && (op.in_one_line || last_hits(op));
}

// As fetch() does behind a branch, to a light instruction.
inline bool Processor::arrives_light(const Op& target) {
    if (!begins_light(target) || !cache_.port_free(context_.time) || !target_hits(target))
        return false;
    context_.fetch_line = cache_.cache().line_of(target.last);
    context_.fetched |= kFirstLine | kLastLine | kRefilled;
    context_.time += clock_.cycles(target.components) + target.dwords * cache_.hit_wait();
    return context_.time < limit_ || arrives_at_limit();
}

}  // namespace symsim
