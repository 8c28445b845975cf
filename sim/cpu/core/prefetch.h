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

// The line that contains the next byte of an instruction after `line`. If that begins a page, it is
// on the page of the last byte, which need not follow in memory.
inline Address Processor::line_after(const Op& op, Address line) const {
    const Address next = line + cache_.cache().line_bytes();
    return next & Tlb::kPageMask ? next : op.last & ~Tlb::kPageMask;
}

// For an instruction in sequence. Its first line is usually in the queue, unless it begins one. The
// lines are tried in the order of enter_lines().
inline bool Processor::queue_hits(const Op& op) {
    const Cache& cache = cache_.cache();
    const Address last = cache.line_of(op.last);
    Address line = cache.line_of(op.address);
    if (line == context_.fetch_line) line = line_after(op, line);
    for (; cache_.queue_hits(line, context_.time); line = line_after(op, line))
        if (line == last) return true;
    return false;
}

// For a branch target.
inline bool Processor::target_hits(const Op& op, Time time) {
    const Cache& cache = cache_.cache();
    const Address last = cache.line_of(op.last);
    for (Address line = cache.line_of(op.address); cache_.fetch_hits(line, time);
         line = line_after(op, line))
        if (line == last) return true;
    return false;
}

// The time to refill the queue: the manual's m (a gate's own clocks include it) and a cache hit's
// wait for each dword.
inline Time Processor::refill_time(const Op& op, Arrival arrival) const {
    const Time components = arrival == Arrival::by_branch ? clock_.cycles(op.components) : 0;
    return components + op.dwords * cache_.hit_wait();
}

}  // namespace symsim
