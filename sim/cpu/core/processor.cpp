// SPDX-License-Identifier: MIT
// The execute loop: what the processor does before and after an instruction's own work.
#include "sim/cpu/core/processor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace symsim {

Processor::Processor(ProcessorId id, const ProcessorConfig& config, CacheController& cache,
                     DecodeCache& code, InterruptSource& interrupts)
    : id_(id),
      clock_(config.clock_period),
      isa_(config.isa),
      cache_(cache),
      decode_cache_(code),
      interrupts_(interrupts),
      system_(System::flat()) {}

StopReason Processor::run(Time commit_time, Time limit, EngineHook* hook) {
    commit_time_ = commit_time;
    hook_ = hook;
    set_limit(limit);
    if (!hook) set_stop();
    do execute();
    while (stop_reason_ == StopReason::retry && next_time_ >= limit_ && extend_limit());
    return stop_reason_;
}

// Called at the limit. Whether there is a later one, to which the run can continue. After a refusal
// the run ends, and the engine is not asked again.
bool Processor::extend_limit() {
    if (!hook_) return false;
    const Time extend = hook_->extend(limit_);
    if (extend <= limit_) {
        hook_ = nullptr;
        return false;
    }
    set_limit(extend);
    return true;
}

// The instruction at eip begins at the limit or later, or its fetch has reached the limit. True:
// the limit has been extended beyond that time. False: the processor stops.
bool Processor::at_limit() {
    return (extend_limit() && context_.time < limit_) || pause(context_.time, StopReason::retry);
}

// Executes until the processor must stop.
void Processor::execute() {
    if (system_.event.active && !deliver()) return;
    for (;;) {
        for (const Op* op = first(); op; op = following(*op)) {
            if (!begin(*op)) break;
            if (!op->execute(*this, *op)) {
                if (stop_reason_ != StopReason::raised) latch(*op);
                break;
            }
            const Address from = context_.eip;
            complete(*op);
            if (!execution_.eventful || !branched() || context_.eip > from) continue;
            if (loops(*op)) return;
        }
        if (stop_reason_ != StopReason::raised || !deliver()) return;
    }
}

// Called after a backward jump. True: the loop repeats with the same state, and the processor
// stops. A delay loop is not such a loop: the engine may skip its iterations instead.
bool Processor::loops(const Op& jump) {
    if (may_skip(jump)) {
        hook_->skip_iterations(jump, limit_);
        return false;
    }
    if (!loop_watch_.asks(context_) || !hook_->repeats_state()) return false;
    pause(context_.time, StopReason::looping);
    return true;
}

// The instruction has begun, and the processor keeps a copy of it. A write to its bytes does not
// change the instruction any more.
void Processor::latch(const Op& op) {
    context_.fetched |= kBegun;
    if (context_.latched) return;
    context_.latched = true;
    keep_latched(op);
}

// For an op at which the activity may change: enters the activity, and returns whether only its
// probe points, if any, are left to be passed before the op.
[[gnu::noinline]] bool Processor::enters_activity(const Op& op) {
    if (op.probed()) return true;
    if (context_.time >= stop_) return false;
    enter_activity(op);
    return true;
}

// Executes `op` and the instructions after it as long as they can take the fast path now. No
// instruction may be under way, and the line that contains the end of the previous instruction must
// have been entered. Returns the instruction that comes next; null if the processor stops.
inline const Op* Processor::execute_fast(const Op* op) {
    if (op->entry != context_.entry && !enters_activity(*op)) return still_there(op);
    FastPathRun::set_stop(*this);
    op->fast(*this, *op, context_.time);
    return after_fast_path();
}

inline const Op* Processor::after_fast_path() {
    if (!fast_end_) return nullptr;
    context_.eip = eip_of(*fast_end_);
    return still_there(fast_end_);
}

// The first instruction of a run. Usually the last run stopped at it, and it need not be looked
// for.
inline const Op* Processor::first() {
    if (context_.latched) return latched_first();
    const Op* const op = std::exchange(paused_at_, nullptr);
    return at_target(op && eip_of(*op) == context_.eip ? still_there(op) : find());
}

// The instruction under way. If it only waited for the cache port and can take the fast path, it is
// executed here, and the instruction after it is returned.
inline const Op* Processor::latched_first() {
    paused_at_ = nullptr;
    if (context_.accesses > 0 || context_.releasing || cache_.fill_arrived() ||
        !context_.window.whole_pages || latched_.entry != context_.entry)
        return &latched_;
    FastPathRun::set_stop(*this);
    latched_.fast(*this, latched_, context_.time);
    if (context_.latched && fast_end_) return &latched_;
    const Op* const op = after_fast_path();
    if (!op || context_.arrival != Arrival::in_sequence || context_.fetched) return op;
    return in_sequence(op);
}

// `op` if it is decoded and lies in the code window; else looks for the instruction at eip.
inline const Op* Processor::still_there(const Op* op) {
    if (!op || !op->execute) return find();
    const Offset offset = context_.eip - context_.window.begin;
    return offset + std::uint64_t{op->length} <= context_.window.size ? op : find();
}

// The op of an instruction that repeats; null if it must be looked for. Its last element may have
// been the copy of an instruction under way, which does not show that its bytes have been written.
inline const Op* Processor::decoded_now(const Op& op) const {
    return &op == &latched_ ? nullptr : &op;
}

inline const Op* Processor::following(const Op& op) {
    if (execution_.eventful) {
        if (execution_.repeating) return still_there(decoded_now(op));
        return branched() ? at_target(still_there(op.target)) : still_there(op.next);
    }
    if (!op.next || !context_.window.whole_pages) return still_there(op.next);
    return in_sequence(op.next);
}

// Executes `op`, which follows another instruction in sequence, on the fast path. If its time is at
// the limit, the other instruction usually was executed at commit time or was a store posted ahead
// of the bus.
inline const Op* Processor::in_sequence(const Op* op) {
    if (context_.time >= limit_ && !at_limit()) return nullptr;
    return execute_fast(op);
}

// `op` is the instruction at eip. It is executed, with those after it, under three conditions: a
// branch leads to it, none of it has been done, and it can take the fast path. Returns the
// instruction that comes next.
inline const Op* Processor::at_target(const Op* op) {
    if (!op || context_.arrival != Arrival::by_branch || context_.fetched & ~kBegun ||
        context_.latched || op->fast == leave_to_execute || !context_.window.whole_pages)
        return op;
    FastPathRun::set_stop(*this);
    FastPathRun::arrive_at(*this, *op, context_.time);
    return after_fast_path();
}

// Does what comes before an instruction's own work: its probe points, its activity, its fetch.
// Usually there is nothing to do.
inline bool Processor::begin(const Op& op) {
    if (context_.time >= stop_ || op.entry != context_.entry) return begin_slow(op);
    start_execution(op.length);
    return in_fetch_line(op) || fetch(op);
}

bool Processor::begin_slow(const Op& op) {
    if (context_.time >= stop_ && !may_begin()) return false;
    if (op.probed() && !(context_.fetched & kProbed)) {
        const auto& probed = static_cast<const ProbedOp&>(op);
        const bool awaited = preemption_.state == Preemption::State::awaits_region;
        if ((probed.waits_for_commit || awaited) && context_.time > commit_time_)
            return pause(context_.time, StopReason::retry);
        if (processes_ && probed.waits_for_commit && !switch_processes(probed)) return false;
        fire_probes(probed);
        if (awaited) look_for_region();
    }
    if (context_.entry != index(op.region)) enter_activity(op);
    start_execution(op.length);
    return in_fetch_line(op) || fetch(op);
}

// Enters the cache lines that contain the instruction. In sequence this costs nothing, since the
// prefetch queue has run ahead. After a branch it costs the manual's m and a cache access for each
// dword.
inline bool Processor::fetch(const Op& op) {
    if (context_.fetched & ~(kProbed | kBegun)) return fetch_slow(op);
    const bool in_sequence = context_.arrival == Arrival::in_sequence;
    if (!(in_sequence ? queue_hits(op) : target_hits(op, context_.time))) return fetch_slow(op);
    context_.fetch_line = cache_.cache().line_of(op.last);
    context_.fetched |= kAllLines;
    return in_sequence || refill(op);
}

inline bool Processor::refill(const Op& op) {
    context_.fetched |= kRefilled;
    context_.time += refill_time(op, context_.arrival);
    return context_.time < limit_ || fetched_at_limit();
}

// The fetch took the instruction's time to the limit: the instruction has begun.
bool Processor::fetched_at_limit() {
    context_.fetched |= kBegun;
    return at_limit();
}

bool Processor::fetch_slow(const Op& op) {
    if (enter_lines(op)) return true;
    context_.fetched |= kBegun;
    return false;
}

inline bool Processor::enter_lines(const Op& op) {
    const bool branched = context_.arrival != Arrival::in_sequence;
    const Address last = cache_.cache().line_of(op.last);
    Address line = cache_.cache().line_of(op.address);
    for (unsigned n = 0; !(context_.fetched & kAllLines); ++n, line = line_after(op, line)) {
        if (n == context_.fetched / kOneLine) {
            const bool queued = n == 0 && !branched && line == context_.fetch_line;
            if (!queued && !enter_line(n == 0 ? op.address : line)) return false;
            context_.fetched += kOneLine;
        }
        if (line != last) continue;
        context_.fetched = static_cast<std::uint8_t>(context_.fetched % kOneLine | kAllLines);
        context_.fetch_line = last;
    }
    if (branched && !(context_.fetched & kRefilled)) return refill(op);
    return context_.time < limit_ || fetched_at_limit();
}

bool Processor::enter_line(Address address) {
    const Time at = context_.time;
    if (at >= limit_) return pause(at, StopReason::retry);
    if (cache_.fetch_hits(address, at)) return true;
    const Access outcome =
        cache_.fetch(address, access_time(at), context_.arrival != Arrival::in_sequence);
    if (outcome == Access::unmapped)
        return fail(
            fmt::format("instruction fetch from {:#010x}, where there is no memory", address),
            "look for a wild jump, call or return: the backtrace shows where it came from");
    return finish_access(outcome, at);
}

inline void Processor::complete(const Op& op) {
    if (execution_.eventful || !op.simple) return complete_slow(op);
    context_.time += clock_.cycles(op.clocks);
    ++context_.instructions;
    context_.eip = next_eip_;
    static_cast<UnderWay&>(context_) = {};
}

void Processor::complete_slow(const Op& op) {
    if (op.locked) cache_.unlock(access_time(context_.last_access));
    const Execution& e = execution_;
    int clocks = op.clocks + static_cast<int>(e.extra_clocks);
    if (e.non_speculative) {
        clocks = std::max(clocks, 2 * (e.loads + e.stores + e.splits));
        set_stop();  // it may have changed System
    }
    context_.time += clock_.cycles(clocks);
    if (e.repeating) {
        context_.accesses = 0;
        context_.latched = false;
        context_.fetched &= static_cast<std::uint8_t>(~kBegun);
        return;
    }
    ++context_.instructions;
    if (branched()) {
        trace_.add(context_.branches++, context_.eip, next_eip_);
        context_.fetch_line = kNoLine;
    }
    context_.eip = next_eip_;
    if (context_.releasing) {
        context_.entry = kNoEntry;
        if (context_.critical_depth > 0) --context_.critical_depth;
    }
    static_cast<UnderWay&>(context_) = {};
    context_.arrival = e.arrival;
}

// The instruction under way will not be completed: forgets its progress.
void Processor::abandon() {
    const Arrival arrival = context_.arrival;
    static_cast<UnderWay&>(context_) = {};
    context_.arrival = arrival;
    walk_.made = 0;
}

void Processor::system_changed() {
    system_.virtual_8086 =
        system_.protected_mode() && (context_.flags.system & Flags::kVirtual) != 0;
    system_.derive();
    close_window();
    set_stop();
}

bool Processor::halt() {
    context_.halted = true;
    set_stop();
    return true;
}

bool Processor::fail(const std::string& what, const std::string& fix) {
    const Time at = std::max(context_.time, context_.last_access);
    if (at > commit_time_) return pause(at, StopReason::retry);
    failure_.what = what;
    failure_.fix = fix;
    failure_.processor = id_;
    failure_.time = commit_time_;
    failure_.eip = context_.eip;
    pause(commit_time_, StopReason::failed);
    if (debug_) debug_->failed(id_);
    return false;
}

DebugHook* Processor::set_debug_hook(DebugHook* hook) {
    DebugHook* const before = debug_;
    debug_ = hook;
    few_accesses_ = hook ? 0 : kFewAccesses;
    watched_ = hook || preemption_.pending();
    set_stop();
    return before;
}

Preemption Processor::set_preemption(const Preemption& preemption) {
    const Preemption before = std::exchange(preemption_, preemption);
    watched_ = debug_ || preemption_.pending();
    set_stop();
    return before;
}

}  // namespace symsim
