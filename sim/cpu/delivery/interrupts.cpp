// SPDX-License-Identifier: MIT
// What can happen between two instructions (PRM chapter 9), and the delivery of events.
#include "sim/cpu/delivery/interrupts.h"

#include <algorithm>
#include <utility>

#include "sim/cpu/delivery/delivery.h"

namespace symsim {

// Delivers the raised event, and those that are raised during delivery. False: paused before the
// end.
bool Interrupts::deliver() {
    do {
        core_.start_execution(0);
        core_.execution.non_speculative = core_.execution.eventful = true;
        const Event event = core_.system.event;
        if (!deliver_event(*this, event)) continue;
        const Execution& e = core_.execution;
        const int own = static_cast<int>(e.extra_clocks) - 2 * e.splits;
        const int clocks = std::max(own, 2 * (e.loads + e.stores + e.splits));
        core_.context.time += core_.clock.cycles(clocks + 2 * e.splits);
        if (event.source == Event::Source::software) ++core_.context.instructions;
        core_.context.accesses = 0;
        core_.context.fetched = 0;
        record_branch(event.return_eip, core_.next_eip, Arrival::by_gate);
        core_.context.stepping = false;
        core_.system.event.active = false;
        core_.set_stop();
        return true;
    } while (core_.stop_reason == StopReason::raised);
    return false;
}

// Called at the limit. Whether there is a later one, to which the run can continue. After a refusal
// the run ends, and the engine is not asked again.
bool Interrupts::extend_limit() {
    if (!hook_) return false;
    const Time extend = hook_->extend(core_.limit);
    if (extend <= core_.limit) {
        hook_ = nullptr;
        return false;
    }
    core_.set_limit(extend);
    return true;
}

// The instruction at eip begins at the limit or later, or its fetch has reached the limit. True:
// the limit has been extended beyond that time. False: the processor stops.
bool Interrupts::at_limit() {
    return (extend_limit() && core_.context.time < core_.limit) ||
           core_.pause(core_.context.time, StopReason::retry);
}

// Whether the next instruction may begin. Checks the limit of the run, then what can come between
// two instructions: an entry of the schedule, the debugger, a deferred exception, a halt, an
// interrupt, a single-step trap.
bool Interrupts::may_begin() {
    if (core_.context.time >= core_.limit) {
        if (!at_limit()) return false;
        if (core_.context.time < core_.stop) return true;
    }
    if (core_.context.fetched & kBegun) return true;
    if (schedule_.active() && !follow_schedule()) return false;
    if (debug_) {
        if (!debug_->begins(core_.id)) return core_.pause(core_.context.time, StopReason::retry);
        if (!core_.attention()) return true;
    }
    if (core_.system.deferred.active) {
        if (!core_.committed()) return false;
        Event event = core_.system.deferred;
        event.return_eip = core_.context.eip;
        core_.system.deferred.active = false;
        return begin_event(event);
    }
    if (core_.context.halted && !core_.context.stepping) {
        if (!core_.committed()) return false;
        if (!core_.wakes()) return core_.pause(core_.context.time, StopReason::halted);
        core_.context.halted = false;
        core_.context.time =
            std::max(core_.context.time, core_.clock.edge_at_or_after(core_.commit_time));
    }
    const bool shadowed = core_.context.shadow_at == core_.context.instructions + 1;
    const bool due =
        core_.context.stepping || (!shadowed && (core_.nmi_ready() || core_.line_ready()));
    if (due) {
        if (!core_.committed()) return false;
        return take_interrupt();
    }
    core_.context.stepping = core_.context.flags.system & Flags::kTrap;
    core_.context.flags.system &= ~std::uint32_t{Flags::kResume};
    core_.context.fetched |= kBegun;
    core_.set_stop();
    return true;
}

// Called before each instruction while the schedule is active (schedule.h). False: commit time has
// not reached the instruction.
bool Interrupts::follow_schedule() {
    Context& context = core_.context;
    if (!core_.committed()) return false;
    while (const auto* const entry = schedule_.due_between_instructions(context.instructions)) {
        const Time now = context.time;
        const Time end = now + core_.clock.edge_at_or_after(entry->delay);
        const ScheduleEntry::What what = entry->what;
        schedule_.reach(now, end, context.eip);
        switch (what) {
            case ScheduleEntry::What::hold:
                context.time = end;
                break;
            case ScheduleEntry::What::hold_stores:
                cache_.hold_stores_until(end);
                break;
            case ScheduleEntry::What::interrupt:
                interrupts_.run_out_timer(core_.id, now);
                break;
        }
    }
    schedule_.end_if_over(context.time);
    watch();
    core_.set_stop();
    return core_.committed();
}

// Called when the instruction under way has passed its probe points, and the beginning of a region
// is awaited.
void Interrupts::look_for_region(const std::vector<Mark>& marks) {
    for (const Mark& mark : marks)
        if (mark.what == Mark::What::probe && mark.probe == ProbeKind::region_begin &&
            mark.value == schedule_.region())
            return schedule_.begin_region(core_.context.instructions);
}

// In the manual's order (PRM 9.3): the trap of the last instruction, NMI, the interrupt line.
bool Interrupts::take_interrupt() {
    Event event;
    event.return_eip = core_.context.eip;
    if (core_.context.stepping) {
        core_.context.stepping = core_.context.halted = false;
        core_.system.dr[6] |= dr6::kSingleStep;
        event.vector = static_cast<std::uint8_t>(Fault::debug);
    } else if (core_.nmi_ready()) {
        core_.nmi = false;
        interrupts_.nmi_taken(core_.id, core_.context.time);
        core_.system.nmi_blocked = true;
        event.source = Event::Source::external;
        event.vector = static_cast<std::uint8_t>(Fault::nmi);
    } else {
        event.source = Event::Source::external;
        event.vector = interrupts_.acknowledge(core_.id, core_.context.time);
    }
    return begin_event(event);
}

void Interrupts::write_flags(std::uint32_t value, unsigned size) {
    std::uint32_t mask =
        Flags::kArithmetic | Flags::kTrap | Flags::kDirection | Flags::kNested | later_flags();
    if (core_.system.cpl == 0) mask |= Flags::kPrivilege;
    if (core_.system.cpl <= core_.context.flags.iopl()) mask |= Flags::kInterrupt;
    if (size == 2) mask &= 0xffff;
    core_.context.flags.set(mask, value);
    core_.set_stop();
}

bool Interrupts::halt() {
    core_.context.halted = true;
    core_.set_stop();
    return true;
}

DebugHook* Interrupts::set_debug_hook(DebugHook* hook) {
    DebugHook* const before = std::exchange(debug_, hook);
    watch();
    core_.set_stop();
    return before;
}

Schedule Interrupts::set_schedule(Schedule schedule) {
    Schedule before = std::exchange(schedule_, std::move(schedule));
    watch();
    core_.set_stop();
    return before;
}

}  // namespace symsim
