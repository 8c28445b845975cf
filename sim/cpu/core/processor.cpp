// SPDX-License-Identifier: MIT
// The execute loop: what the processor does before and after an instruction's own work.
#include "sim/cpu/core/processor.h"

#include <algorithm>
#include <utility>

namespace symsim {

StopReason Processor::run(Time commit_time, Time limit, EngineHook* hook) {
    core_.commit_time = commit_time;
    hook_ = hook;
    core_.set_limit(limit);
    if (!hook) core_.set_stop();
    do execute();
    while (core_.stop_reason == StopReason::retry && core_.next_time >= core_.limit &&
           extend_limit());
    return core_.stop_reason;
}

// Executes until the processor must stop.
void Processor::execute() {
    if (core_.system.event.active && !deliver()) return;
    for (;;) {
        for (const Op* op = first(); op; op = following(*op)) {
            if (!begin(*op)) break;
            if (!op->execute(*this, *op)) {
                if (core_.stop_reason != StopReason::raised) latch(*op);
                break;
            }
            const Address from = core_.context.eip;
            complete(*op);
            if (!core_.execution.eventful || !core_.branched() || core_.context.eip > from)
                continue;
            if (loops(*op)) return;
        }
        if (core_.stop_reason != StopReason::raised || !deliver()) return;
    }
}

// Called after a backward jump. True: the loop repeats with the same state, and the processor
// stops. A delay loop is not such a loop: the engine may skip its iterations instead.
bool Processor::loops(const Op& jump) {
    if (may_skip(jump)) {
        hook_->skip_iterations(jump, core_.limit);
        return false;
    }
    return loop_watch_.asks(core_.context) && repeats_state();
}

// Executes `op` and the instructions after it as long as they can take the fast path now. No
// instruction may be under way, and the line that contains the end of the previous instruction must
// have been entered. Returns the instruction that comes next; null if the processor stops.
inline const Op* Processor::execute_fast(const Op* op) {
    if (op->entry != core_.context.entry && !enters_activity(*op)) return still_there(op);
    begin_run();
    op->fast(*this, *op, core_.context.time);
    return after_fast_path();
}

inline const Op* Processor::after_fast_path() {
    if (!core_.fast_end) return nullptr;
    core_.context.eip = eip_of(*core_.fast_end);
    return still_there(core_.fast_end);
}

// The first instruction of a run. Usually the last run stopped at it, and it need not be looked
// for.
inline const Op* Processor::first() {
    if (core_.context.latched) return latched_first();
    const Op* const op = std::exchange(core_.paused_at, nullptr);
    return at_target(op && eip_of(*op) == core_.context.eip ? still_there(op) : find());
}

// The instruction under way. If it only waited for the cache port and can take the fast path, it is
// executed here, and the instruction after it is returned.
inline const Op* Processor::latched_first() {
    core_.paused_at = nullptr;
    if (core_.context.accesses > 0 || core_.context.releasing || cache_.fill_arrived() ||
        !core_.context.window.whole_pages || latched_.entry != core_.context.entry)
        return &latched_;
    begin_run();
    latched_.fast(*this, latched_, core_.context.time);
    if (core_.context.latched && core_.fast_end) return &latched_;
    const Op* const op = after_fast_path();
    if (!op || core_.context.arrival != Arrival::in_sequence || core_.context.fetched) return op;
    return in_sequence(op);
}

// The op of an instruction that repeats; null if it must be looked for. Its last element may have
// been the copy of an instruction under way, which does not show that its bytes have been written.
inline const Op* Processor::decoded_now(const Op& op) const {
    return &op == &latched_ ? nullptr : &op;
}

inline const Op* Processor::following(const Op& op) {
    if (core_.execution.eventful) {
        if (core_.execution.repeating) return still_there(decoded_now(op));
        return core_.branched() ? at_target(still_there(op.target)) : still_there(op.next);
    }
    if (!op.next || !core_.context.window.whole_pages) return still_there(op.next);
    return in_sequence(op.next);
}

// Executes `op`, which follows another instruction in sequence, on the fast path. If its time is at
// the limit, the other instruction usually was executed at commit time or was a store posted ahead
// of the bus.
inline const Op* Processor::in_sequence(const Op* op) {
    if (core_.context.time >= core_.limit && !at_limit()) return nullptr;
    return execute_fast(op);
}

// `op` is the instruction at eip. It is executed, with those after it, under three conditions: a
// branch leads to it, none of it has been done, and it can take the fast path. Returns the
// instruction that comes next.
inline const Op* Processor::at_target(const Op* op) {
    if (!op || core_.context.arrival != Arrival::by_branch || core_.context.fetched & ~kBegun ||
        core_.context.latched || op->fast == leave_to_execute || !core_.context.window.whole_pages)
        return op;
    begin_run();
    arrive_at(*op, core_.context.time);
    return after_fast_path();
}

// Does what comes before an instruction's own work: its probe points, its activity, its fetch.
// Usually there is nothing to do.
inline bool Processor::begin(const Op& op) {
    if (!begins(op, core_.context.time, core_.stop)) return begin_slow(op);
    core_.start_execution(op.length);
    return fetch(op);
}

bool Processor::begin_slow(const Op& op) {
    if (core_.context.time >= core_.stop && !may_begin()) return false;
    if (op.probed() && !(core_.context.fetched & kProbed) &&
        !pass_probes(static_cast<const ProbedOp&>(op)))
        return false;
    if (core_.context.entry != index(op.region)) enter_activity(op);
    core_.start_execution(op.length);
    return fetch(op);
}

inline void Processor::complete(const Op& op) {
    if (core_.execution.eventful || !op.simple) return complete_slow(op);
    core_.context.time += core_.clock.cycles(op.clocks);
    core_.context.eip = core_.next_eip;
    core_.complete();
}

// Not inlined: the execute loop needs it for few instructions.
[[gnu::noinline]] void Processor::complete_slow(const Op& op) {
    if (op.locked) cache_.unlock(access_time(core_.context.last_access));
    Context& context = core_.context;
    const Execution& e = core_.execution;
    int clocks = op.clocks + static_cast<int>(e.extra_clocks);
    if (e.non_speculative) {
        clocks = std::max(clocks, 2 * (e.loads + e.stores + e.splits));
        core_.set_stop();  // it may have changed System
    }
    context.time += core_.clock.cycles(clocks);
    if (e.repeating) {
        context.accesses = 0;
        context.latched = false;
        context.fetched &= static_cast<std::uint8_t>(~kBegun);
        return;
    }
    if (context.releasing) {
        context.entry = kNoEntry;
        if (context.critical_depth > 0) --context.critical_depth;
    }
    core_.complete();
    if (core_.branched())
        record_branch(context.eip, core_.next_eip, e.arrival);
    else
        context.eip = core_.next_eip;
}

}  // namespace symsim
