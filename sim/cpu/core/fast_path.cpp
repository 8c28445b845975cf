// SPDX-License-Identifier: MIT
// The steps of the fast path that are too rare to be inlined: branches, and loads and fetches that
// do not hit.
#include "sim/cpu/core/fast_path.h"

#include "sim/base/failure.h"

namespace symsim {

void leave_to_execute(Processor& cpu, const Op& op, Time time) {
    cpu.leave(op, time);
}

void pass_probes(Processor& cpu, const Op& op, Time time) {
    const auto& probed = static_cast<const ProbedOp&>(op);
    if (!cpu.passes_probes(probed, time)) return cpu.leave(op, time);
    probed.instruction.fast(cpu, probed.instruction, time);
}

inline void Processor::execute_at(const Op& op, Time time) {
    op.fast(*this, op, time);
}

bool Processor::passes_probes(const ProbedOp& op, Time time) {
    if (!continues(time)) return false;
    core_.context.time = time;
    fire_probes(op);
    if (core_.context.releasing) return false;
    if (core_.context.entry != index(op.region)) enter_activity(op);
    return true;
}

// A target on the page of the jump is in Op::target. A target on another page is looked up in the
// code window, since physical memory need not continue there as linear addresses do.
void Processor::jump(const Op& op, Time time, unsigned more_clocks) {
    const Op* target = op.target;
    if (!target && op.relative) target = target_at(eip_of(op) + op.length + op.immediate);
    if (!target || target->fast == leave_to_execute) return leave(op, time);
    branch_to(op, *target, time + core_.clock.cycles(more_clocks));
}

void Processor::branch_to(const Op& op, const Op& target, Time time) {
    const Offset from = eip_of(op);
    const Offset to = eip_of(target);
    core_.complete();
    time += core_.clock.cycles(op.clocks);
    record_branch(from, to, Arrival::by_branch);
    if (to <= from) return branch_back(op, target, time);
    arrive_at(target, time);
}

// A branch backwards, handled as in Processor::loops().
[[gnu::noinline]] void Processor::branch_back(const Op& op, const Op& target, Time time) {
    core_.context.time = time;
    if (may_skip(op)) return skip_iterations(op, target);
    if (loop_watch_.asks(core_.context)) return loop(target);
    arrive_at(target, time);
}

[[gnu::noinline]] void Processor::skip_iterations(const Op& op, const Op& target) {
    hook_->skip_iterations(op, core_.limit);
    arrive_at(target, core_.context.time);
}

[[gnu::noinline]] void Processor::loop(const Op& target) {
    if (!repeats_state()) return arrive_at(target, core_.context.time);
    core_.fast_end = nullptr;
}

// Most targets are in one line.
void Processor::arrive_at(const Op& target, Time time) {
    if (!begins(target, time, core_.fast_stop)) return leave(target, time);
    if (!target.in_one_line) return arrive_on_lines(target, time);
    const Address line = cache_.cache().line_of(target.address);
    if (!cache_.fetch_hits(line, time)) return miss(target, time);
    refill_and_execute(target, line, time);
}

[[gnu::noinline]] void Processor::arrive_on_lines(const Op& target, Time time) {
    if (!target_hits(target, time)) return miss(target, time);
    refill_and_execute(target, cache_.cache().line_of(target.last), time);
}

inline void Processor::refill_and_execute(const Op& target, Address last_line, Time time) {
    time = refill(target, last_line, Arrival::by_branch, time);
    if (time < core_.limit) return execute_at(target, time);
    begin_at_limit(target, time);
}

// The refill took the instruction's time to the limit: the instruction has begun.
[[gnu::noinline]] void Processor::begin_at_limit(const Op& target, Time time) {
    core_.context.fetched |= kBegun;
    reach_limit(target, time);
}

// The next instruction begins at the limit or later. The run continues if the limit is extended.
[[gnu::noinline]] void Processor::reach_limit(const Op& op, Time time) {
    leave(op, time);
    core_.context.eip = eip_of(op);
    if (!at_limit()) return end_at(op);
    set_fast_stop();
    execute_at(op, time);
}

// The target's line is not available at once. Usually the fetch waits for the cache port, which a
// store occupies. In any other case the slow path fetches the target.
[[gnu::noinline]] void Processor::miss(const Op& target, Time time) {
    leave(target, time);
    if (cache_.port_free(time)) return;
    const bool entered = request_line(target.address, time, true);
    core_.context.fetched |= entered ? kOneLine : kBegun;
    if (!entered) end_at(target);
}

// If the load must wait, this does what the slow path would do. In any other case the slow path
// executes the instruction.
[[gnu::noinline]] void Processor::wait(const Op& op, Address place, unsigned size, Time time) {
    leave(op, time);
    if (!cache_.load_waits(place, time)) return;
    core_.context.eip = eip_of(op);
    core_.start_execution(op.length);
    std::uint32_t value;
    if (load_slow(op, place, size, value))
        impossible("a load of {:#010x} at {} ps waits for nothing", place, time);
    if (core_.stop_reason != StopReason::raised) latch(op);
    core_.fast_end = nullptr;
}

// The store costs a hit.
[[gnu::noinline]] void Processor::store_in_line(const Op& op, Line& line, Bytes bytes,
                                                std::uint32_t value, Time time) {
    const AccessTime when = access_time(time + stores_from(op));
    cache_.store_in_line(line, bytes.address, bytes.size, when, value);
    core_.changed();
    core_.complete();
    time += cache_.hit_wait() + core_.clock.cycles(op.clocks);
    op.next->fast(*this, *op.next, time);
}

[[gnu::noinline]] void Processor::enqueue_store(const Op& op, Address address, unsigned size,
                                                std::uint32_t value, Time time) {
    const AccessTime when = access_time(time + stores_from(op));
    cache_.buffer_store(address, size, when, value);
    core_.complete();
    time += core_.clock.cycles(op.clocks);
    if (!when.committed) core_.posted_ahead(when.at);
    if (time >= core_.limit) return reach_limit(*op.next, time);
    op.next->fast(*this, *op.next, time);
}

}  // namespace symsim
