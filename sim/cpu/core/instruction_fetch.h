// SPDX-License-Identifier: MIT
// Fetch and decode: finds the decoded instruction at eip, and enters the cache lines that contain
// it.
//
// In sequence a fetch costs nothing, since the prefetch queue has run ahead. After a branch it
// costs the manual's m and a cache access for each dword.
#pragma once

#include <optional>

#include "sim/cpu/core/decode_cache.h"
#include "sim/cpu/core/probes.h"
#include "sim/cpu/delivery/interrupts.h"
#include "sim/cpu/isa/op.h"

namespace symsim {

class InstructionFetch : public Interrupts {
  public:
    // Physical address of the instruction at eip; kNoLine if it has not been looked up yet.
    static Address code_address(const Context& context) {
        return context.window.contains(context.eip) ? context.window.physical_of(context.eip)
                                                    : kNoLine;
    }
    // The instruction under way, if Context::latched.
    Op& latched() { return latched_; }

  protected:
    InstructionFetch(ProcessorId id, const ProcessorConfig& config, CacheController& cache,
                     DecodeCache& code, InterruptSource& interrupts)
        : Interrupts(id, config, cache, interrupts), decode_cache_(code) {}

    const Op* find();
    // `op` if it is decoded and lies in the code window; else looks for the instruction at eip.
    const Op* still_there(const Op* op) {
        if (!op || !op->execute) return find();
        const CodeWindow& window = core_.context.window;
        return window.contains(core_.context.eip, op->length) ? op : find();
    }
    // The op at an offset in cs, if it is decoded and in the code window; else null.
    const Op* known_at(Offset eip) const {
        const CodeWindow& window = core_.context.window;
        return window.contains(eip)
                   ? decode_cache_.known(window.physical_of(eip), core_.system.wide_code())
                   : nullptr;
    }
    Offset eip_of(const Op& op) const { return core_.context.window.offset_of(op.address); }
    // The instruction has begun, and the processor keeps a copy of it. A write to its bytes does
    // not change the instruction any more.
    void latch(const Op& op) {
        core_.context.fetched |= kBegun;
        if (core_.context.latched) return;
        core_.context.latched = true;
        // The copy is without probe points, which have already fired.
        latched_ = op.probed() ? static_cast<const ProbedOp&>(op).instruction : op;
        latched_.simple = op.simple;  // a lock_release probe needs complete_slow()
    }

    // Whether an instruction that begins before `stop` can begin at `time` with nothing else to be
    // done before it: in the same activity, and without probe points.
    bool begins(const Op& op, Time time, Time stop) const {
        return time < stop && op.entry == core_.context.entry;
    }
    // Enters the lines that contain the instruction at eip. False: the processor stops.
    bool fetch(const Op& op) { return in_fetch_line(op) || fetch_lines(op); }
    // Enters the lines from `line` to the last of an instruction in sequence, if the prefetch queue
    // has, or gets at once, all of them.
    // `line_after` returns the line after a line of the instruction.
    template <class LineAfter>
    bool queue_hits(const Op& op, Address line, Time time, LineAfter line_after);
    // Whether all lines of a branch target can be entered at once.
    bool target_hits(const Op& op, Time time);
    // Enters the lines of a branch target, up to `last_line`, and returns when they are there. It
    // takes the manual's m (a gate's own clocks include it) and a cache hit's wait for each dword.
    Time refill(const Op& op, Address last_line, Arrival arrival, Time time);
    // Enters a line that is not there at once. False: the processor stops.
    bool request_line(Address address, Time at, bool branched) {
        const Access outcome = cache_.fetch(address, access_time(at), branched);
        return outcome <= Access::made || not_fetched(outcome, address, at);
    }

    DecodeCache& decode_cache_;
    Op latched_;  // the instruction under way, if Context::latched

  private:
    bool open_window();
    const Op* across(const Op& op);
    bool in_fetch_line(const Op& op) const;
    Address line_after(const Op& op, Address line) const;
    bool fetch_lines(const Op& op);
    bool fetch_slow(const Op& op);
    bool refill_at_eip(const Op& op);
    bool fetched_at_limit();
    bool enter_line(Address address);
    bool not_fetched(Access outcome, Address address, Time at);

    // An instruction on two pages that are not adjacent in physical memory.
    ProbedOp crossing_;
    std::optional<Complaint> crossing_complaint_;
};

inline bool InstructionFetch::in_fetch_line(const Op& op) const {
    return op.in_one_line && cache_.cache().line_of(op.address) == core_.context.fetch_line;
}

// The line that contains the next byte of an instruction after `line`. If that begins a page, it is
// on the page of the last byte, which need not follow in memory.
inline Address InstructionFetch::line_after(const Op& op, Address line) const {
    const Address next = line + cache_.cache().line_bytes();
    return next & Tlb::kPageMask ? next : op.last & ~Tlb::kPageMask;
}

template <class LineAfter>
bool InstructionFetch::queue_hits(const Op& op, Address line, Time time, LineAfter line_after) {
    const Address last = cache_.cache().line_of(op.last);
    for (; cache_.queue_hits(line, time); line = line_after(line)) {
        if (line != last) continue;
        core_.context.fetch_line = last;
        core_.context.fetched |= kAllLines;
        return true;
    }
    return false;
}

inline bool InstructionFetch::target_hits(const Op& op, Time time) {
    const Cache& cache = cache_.cache();
    const Address last = cache.line_of(op.last);
    for (Address line = cache.line_of(op.address); cache_.fetch_hits(line, time);
         line = line_after(op, line))
        if (line == last) return true;
    return false;
}

inline Time InstructionFetch::refill(const Op& op, Address last_line, Arrival arrival, Time time) {
    core_.context.fetch_line = last_line;
    core_.context.fetched |= kAllLines | kRefilled;
    const Time components = arrival == Arrival::by_branch ? core_.clock.cycles(op.components) : 0;
    return time + components + op.dwords * cache_.hit_wait();
}

inline bool InstructionFetch::refill_at_eip(const Op& op) {
    Context& context = core_.context;
    context.time = refill(op, cache_.cache().line_of(op.last), context.arrival, context.time);
    return context.time < core_.limit || fetched_at_limit();
}

}  // namespace symsim
