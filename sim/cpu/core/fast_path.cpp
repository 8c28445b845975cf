// SPDX-License-Identifier: MIT
// The steps of the fast path that are too rare to be inlined: branches, and loads and fetches that
// do not hit.
#include "sim/cpu/core/fast_path.h"

#include "sim/base/failure.h"

namespace symsim {

void leave_to_execute(Processor& cpu, const Op& op, Time time) {
    FastPathRun::leave(cpu, op, time);
}

// A target on the page of the jump is in Op::target. A target on another page is looked up in the
// code window, since physical memory need not continue there as linear addresses do.
void FastPathRun::jump(Processor& cpu, const Op& op, Time time, unsigned more_clocks) {
    const Op* target = op.target;
    if (!target && op.relative) target = target_at(cpu, cpu.eip_of(op) + op.length + op.immediate);
    if (!target || target->fast == leave_to_execute) return leave(cpu, op, time);
    branch(cpu, op, *target, time + cpu.clock_.cycles(more_clocks));
}

void FastPathRun::branch(Processor& cpu, const Op& op, const Op& target, Time time) {
    const Address from = cpu.eip_of(op);
    const Address to = cpu.eip_of(target);
    complete(cpu);
    time += cpu.clock_.cycles(op.clocks);
    cpu.context_.eip = to;
    cpu.context_.fetch_line = kNoLine;
    cpu.context_.arrival = Arrival::by_branch;
    cpu.trace_.add(cpu.context_.branches++, from, to);
    if (to <= from) return branch_back(cpu, op, target, time);
    arrive_at(cpu, target, time);
}

// A branch backwards, handled as in Processor::loops().
[[gnu::noinline]] void FastPathRun::branch_back(Processor& cpu, const Op& op, const Op& target,
                                                Time time) {
    cpu.context_.time = time;
    if (cpu.may_skip(op)) return skip_iterations(cpu, op, target);
    if (cpu.loop_watch_.asks(cpu.context_)) return loop(cpu, target);
    arrive_at(cpu, target, time);
}

[[gnu::noinline]] void FastPathRun::skip_iterations(Processor& cpu, const Op& op,
                                                    const Op& target) {
    cpu.hook_->skip_iterations(op, cpu.limit_);
    arrive_at(cpu, target, cpu.context_.time);
}

[[gnu::noinline]] void FastPathRun::loop(Processor& cpu, const Op& target) {
    if (!cpu.hook_->repeats_state()) return arrive_at(cpu, target, cpu.context_.time);
    cpu.pause(cpu.context_.time, StopReason::looping);
    cpu.fast_end_ = nullptr;
}

// Fetches the target as Processor::fetch() does after a branch.
void FastPathRun::arrive_at(Processor& cpu, const Op& target, Time time) {
    if (!begins(cpu, target, time)) return leave(cpu, target, time);
    if (!target.in_one_line) return arrive_on_lines(cpu, target, time);
    const Address line = cpu.cache_.cache().line_of(target.address);
    if (!cpu.cache_.fetch_hits(line, time)) return miss(cpu, target, time);
    refill(cpu, target, line, time);
}

[[gnu::noinline]] void FastPathRun::arrive_on_lines(Processor& cpu, const Op& target, Time time) {
    if (!cpu.target_hits(target, time)) return miss(cpu, target, time);
    refill(cpu, target, cpu.cache_.cache().line_of(target.last), time);
}

inline void FastPathRun::refill(Processor& cpu, const Op& target, Address last_line, Time time) {
    cpu.context_.fetch_line = last_line;
    cpu.context_.fetched |= kAllLines | kRefilled;
    time += cpu.refill_time(target, Arrival::by_branch);
    if (time < cpu.limit_) return target.fast(cpu, target, time);
    begin_at_limit(cpu, target, time);
}

// The refill took the instruction's time to the limit: the instruction has begun.
[[gnu::noinline]] void FastPathRun::begin_at_limit(Processor& cpu, const Op& target, Time time) {
    cpu.context_.fetched |= kBegun;
    reach_limit(cpu, target, time);
}

// The next instruction begins at the limit or later. The run continues if the limit is extended.
[[gnu::noinline]] void FastPathRun::reach_limit(Processor& cpu, const Op& op, Time time) {
    leave(cpu, op, time);
    cpu.context_.eip = cpu.eip_of(op);
    if (!cpu.at_limit()) return pause(cpu, op);
    set_stop(cpu);
    op.fast(cpu, op, time);
}

// The target's line is not available at once. Usually the fetch waits for the cache port, which a
// store occupies: then this does what begin() and fetch() would do. In any other case the slow path
// fetches the target.
[[gnu::noinline]] void FastPathRun::miss(Processor& cpu, const Op& target, Time time) {
    leave(cpu, target, time);
    if (cpu.cache_.port_free(time)) return;
    const Access outcome = cpu.cache_.fetch(target.address, cpu.access_time(time), true);
    if (outcome == Access::unmapped) return;
    const bool entered = cpu.finish_access(outcome, time);
    cpu.context_.fetched |= entered ? kOneLine : kBegun;
    if (!entered) pause(cpu, target);
}

// If the load must wait, this does what begin(), load() and latch() would do. In any other case the
// slow path executes the instruction.
[[gnu::noinline]] void FastPathRun::wait(Processor& cpu, const Op& op, Address place, unsigned size,
                                         Time time) {
    leave(cpu, op, time);
    if (!cpu.cache_.load_waits(place, time)) return;
    cpu.context_.eip = cpu.eip_of(op);
    cpu.start_execution(op.length);
    std::uint32_t value;
    if (cpu.load_slow(op, place, size, value))
        impossible("a load of {:#010x} at {} ps waits for nothing", place, time);
    if (cpu.stop_reason_ != StopReason::raised) cpu.latch(op);
    cpu.fast_end_ = nullptr;
}

}  // namespace symsim
