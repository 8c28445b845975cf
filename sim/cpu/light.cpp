// SPDX-License-Identifier: MIT
#include "sim/cpu/light.h"

namespace symsim {

void leave_to_execute(Processor& cpu, const Op& op, Time time) {
    cpu.leave_light(op, time);
}

// A target on the page of the jump is known; what is light stands there as a whole. Another page
// may follow than in memory: in the window it is looked up.
void Processor::jump_light(const Op& op, Time time, unsigned more_clocks) {
    const Op* target = op.target;
    if (!target && op.relative) target = light_target(eip_of(op) + op.length + op.immediate);
    if (!target || target->light == leave_to_execute) return leave_light(op, time);
    branch_light(op, *target, time + clock_.cycles(more_clocks));
}

void Processor::branch_light(const Op& op, const Op& target, Time time) {
    const Address from = eip_of(op);
    const Address to = eip_of(target);
    complete_light();
    time += clock_.cycles(op.clocks);
    context_.eip = to;
    context_.fetch_line = kNoLine;
    context_.arrival = Arrival::by_branch;
    trace_.add(context_.branches++, from, to);
    if (to <= from) return branch_back_light(op, target, time);
    arrive_light(target, time);
}

// As came_round().
[[gnu::noinline]] void Processor::branch_back_light(const Op& op, const Op& target, Time time) {
    context_.time = time;
    if (counts_again(op)) return count_light(op, target);
    if (loop_.watching() && loop_.turned(context_)) return come_round_light(target);
    arrive_light(target, time);
}

[[gnu::noinline]] void Processor::count_light(const Op& op, const Op& target) {
    if (!leave_out_turns(op) && loop_.watching() && loop_.turned(context_))
        return come_round_light(target);
    arrive_light(target, context_.time);
}

[[gnu::noinline]] void Processor::come_round_light(const Op& target) {
    if (!loop_.looked_at(context_, marks_.size())) return arrive_light(target, context_.time);
    pause(context_.time, Pause::looping);
    light_end_ = nullptr;
}

// As fetch() does behind a branch.
void Processor::arrive_light(const Op& target, Time time) {
    if (!begins_light(target, time)) return leave_light(target, time);
    if (!target.in_one_line) return arrive_on_two_lines(target, time);
    const Address line = cache_.cache().line_of(target.address);
    if (!cache_.fetch_hits(line, time)) return miss_light(target, time);
    refill_light(target, line, time);
}

[[gnu::noinline]] void Processor::arrive_on_two_lines(const Op& target, Time time) {
    if (!target_hits(target, time)) return miss_light(target, time);
    refill_light(target, cache_.cache().line_of(target.last), time);
}

inline void Processor::refill_light(const Op& target, Address last_line, Time time) {
    context_.fetch_line = last_line;
    context_.fetched |= kFirstLine | kLastLine | kRefilled;
    time += refill_time(target, Arrival::by_branch);
    if (time < limit_) return target.light(*this, target, time);
    begin_at_limit_light(target, time);
}

// Only now has its time come to the limit: it has begun.
[[gnu::noinline]] void Processor::begin_at_limit_light(const Op& target, Time time) {
    context_.fetched |= kBegun;
    reach_further_light(target, time);
}

// The next instruction is beyond the limit.
[[gnu::noinline]] void Processor::reach_further_light(const Op& op, Time time) {
    leave_light(op, time);
    context_.eip = eip_of(op);
    if (!reaches_further()) return pause_light(op);
    set_light_stop();
    op.light(*this, op, time);
}

// Most often it waits for the cache port, behind a store: what begin() and fetch() would come to.
[[gnu::noinline]] void Processor::miss_light(const Op& target, Time time) {
    leave_light(target, time);
    if (cache_.port_free(time)) return;
    const Access outcome = cache_.fetch(target.address, access_time(time), true);
    if (outcome == Access::nothing_there) return;
    const bool entered = settle(outcome, time);
    context_.fetched |= entered ? kFirstLine : kBegun;
    if (!entered) pause_light(target);
}

}  // namespace symsim
