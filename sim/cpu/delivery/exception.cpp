// SPDX-License-Identifier: MIT
// The beginning of exceptions and interrupts: raised by an instruction, or taken before one. Also
// handles exceptions raised during the delivery of another: double fault and shutdown (PRM chapter
// 9).
#include <fmt/format.h>

#include <algorithm>

#include "sim/cpu/core/processor.h"
#include "sim/cpu/delivery/delivery.h"

namespace symsim {

namespace {

enum class Class { benign, contributory, page_fault };

// The classes of exceptions that decide about a double fault (PRM 9.8.8).
Class class_of(const Event& event) {
    if (event.source != Event::Source::exception) return Class::benign;
    switch (static_cast<Fault>(event.vector)) {
        case Fault::divide_error:
        case Fault::invalid_tss:
        case Fault::not_present:
        case Fault::stack:
        case Fault::general_protection:
            return Class::contributory;
        case Fault::page:
            return Class::page_fault;
        default:
            return Class::benign;
    }
}

bool doubles(const Event& first, const Event& second) {
    const Class a = class_of(first), b = class_of(second);
    if (a == Class::contributory) return b == Class::contributory;
    if (a == Class::page_fault) return b != Class::benign;
    return false;
}

bool is_double_fault(const Event& event) {
    return event.source == Event::Source::exception &&
           event.vector == static_cast<std::uint8_t>(Fault::double_fault);
}

}  // namespace

bool Processor::non_speculative() {
    execution_.non_speculative = execution_.eventful = true;
    const Time now = std::max(context_.time, context_.last_access);
    return now <= commit_time_ || pause(now, StopReason::retry);
}

bool Processor::raise(Fault fault, std::uint32_t error_code) {
    Event event;
    event.vector = static_cast<std::uint8_t>(fault);
    event.has_error_code = has_error_code(fault);
    event.error_code = error_code;
    event.return_eip = context_.eip;
    return begin_event(event);
}

void Processor::raise_after(Fault fault, std::uint32_t error_code) {
    Event& event = system_.deferred;
    event.active = true;
    event.vector = static_cast<std::uint8_t>(fault);
    event.has_error_code = has_error_code(fault);
    event.error_code = error_code;
    set_stop();
}

bool Processor::begin_event(const Event& next) {
    const Time now = std::max(context_.time, context_.last_access);
    if (now > commit_time_) return pause(now, StopReason::retry);
    // The delivery begins after the instruction's reads, and after the stores in its last clocks.
    context_.time = now;
    Event& event = system_.event;
    if (event.active && is_double_fault(event)) return triple_fault();
    if (!event.active) first_event_ = next;
    if (event.active && doubles(event, next)) {
        event = Event{};
        event.vector = static_cast<std::uint8_t>(Fault::double_fault);
        event.has_error_code = true;
        event.return_eip = context_.eip;
    } else {
        event = next;
    }
    event.active = true;
    abandon();
    // A fault saves the flags with RF set. Traps (single step is the only debug exception here) and
    // aborts save RF clear (PRM 12.3.1.1).
    if (event.source == Event::Source::exception) {
        const bool trap = event.vector == static_cast<std::uint8_t>(Fault::debug);
        const bool set = !trap && !is_double_fault(event);
        context_.flags.set(Flags::kResume, set ? +Flags::kResume : 0u);
    }
    return pause(now, StopReason::raised);
}

// Delivers the raised event, and those that are raised during delivery. False: paused before the
// end.
bool Processor::deliver() {
    do {
        start_execution(0);
        execution_.non_speculative = execution_.eventful = true;
        const Event event = system_.event;
        if (!deliver_event(*this, event)) continue;
        const Execution& e = execution_;
        const int own = static_cast<int>(e.extra_clocks) - 2 * e.splits;
        const int clocks = std::max(own, 2 * (e.loads + e.stores + e.splits));
        context_.time += clock_.cycles(clocks + 2 * e.splits);
        trace_.add(context_.branches++, event.return_eip, next_eip_);
        if (event.source == Event::Source::software) ++context_.instructions;
        context_.eip = next_eip_;
        context_.accesses = 0;
        context_.fetched = 0;
        context_.arrival = Arrival::by_gate;
        context_.fetch_line = kNoLine;
        context_.stepping = false;
        system_.event.active = false;
        set_stop();
        return true;
    } while (stop_reason_ == StopReason::raised);
    return false;
}

// Whether the next instruction may begin. Checks the limit of the run, then what can come between
// two instructions: a preemption, the debugger, a deferred exception, a halt, an interrupt, a single-step trap.
bool Processor::may_begin() {
    if (context_.time >= limit_) {
        if (!at_limit()) return false;
        if (context_.time < stop_) return true;
    }
    if (context_.fetched & kBegun) return true;
    if (preemption_.pending() && !preempt_if_due()) return false;
    if (debug_) {
        if (!debug_->begins(id_)) return pause(context_.time, StopReason::retry);
        if (!attention()) return true;
    }
    if (system_.deferred.active) {
        if (context_.time > commit_time_) return pause(context_.time, StopReason::retry);
        Event event = system_.deferred;
        event.return_eip = context_.eip;
        system_.deferred.active = false;
        return begin_event(event);
    }
    if (context_.halted && !context_.stepping) {
        if (context_.time > commit_time_) return pause(context_.time, StopReason::retry);
        if (!wakes()) return pause(context_.time, StopReason::halted);
        context_.halted = false;
        context_.time = std::max(context_.time, clock_.edge_at_or_after(commit_time_));
    }
    const bool shadowed = context_.shadow_at == context_.instructions + 1;
    const bool due = context_.stepping || (!shadowed && (nmi_ready() || line_ready()));
    if (due) {
        if (context_.time > commit_time_) return pause(context_.time, StopReason::retry);
        return take_interrupt();
    }
    context_.stepping = context_.flags.system & Flags::kTrap;
    context_.flags.system &= ~std::uint32_t{Flags::kResume};
    context_.fetched |= kBegun;
    set_stop();
    return true;
}

// Called before each instruction while a preemption is pending (preemption.h). False: commit time
// has not reached the instruction.
bool Processor::preempt_if_due() {
    if (context_.time > commit_time_) return pause(context_.time, StopReason::retry);
    if (!preemption_.due(context_.instructions)) return true;
    preemption_.arrive(context_.time, context_.eip);
    watched_ = debug_;
    interrupts_.run_out_timer(id_, context_.time);
    set_stop();
    return true;
}

// Called when the instruction under way has passed its probe points, and the beginning of a region
// is awaited.
void Processor::look_for_region() {
    for (const Mark& mark : marks_)
        if (mark.what == Mark::What::probe && mark.probe == ProbeKind::region_begin &&
            mark.value == preemption_.region)
            return preemption_.count_from(context_.instructions);
}

// In the manual's order (PRM 9.3): the trap of the last instruction, NMI, the interrupt line.
bool Processor::take_interrupt() {
    constexpr std::uint32_t kSingleStep = 1u << 14;
    Event event;
    event.return_eip = context_.eip;
    if (context_.stepping) {
        context_.stepping = context_.halted = false;
        system_.dr[6] |= kSingleStep;
        event.vector = static_cast<std::uint8_t>(Fault::debug);
    } else if (nmi_ready()) {
        nmi_ = false;
        interrupts_.nmi_taken(id_, context_.time);
        system_.nmi_blocked = true;
        event.source = Event::Source::external;
        event.vector = static_cast<std::uint8_t>(Fault::nmi);
    } else {
        event.source = Event::Source::external;
        event.vector = interrupts_.acknowledge(id_, context_.time);
    }
    return begin_event(event);
}

void Processor::write_flags(std::uint32_t value, unsigned size) {
    std::uint32_t mask = Flags::kArithmetic | Flags::kTrap | Flags::kDirection | Flags::kNested;
    if (isa_ == Isa::i486) mask |= Flags::kAlignment;
    if (system_.cpl == 0) mask |= Flags::kPrivilege;
    if (system_.cpl <= context_.flags.iopl()) mask |= Flags::kInterrupt;
    if (size == 2) mask &= 0xffff;
    context_.flags.set(mask, value);
    set_stop();
}

// An exception during the delivery of a double fault shuts a 386 down. The report names the
// exception that came first.
bool Processor::triple_fault() {
    const FaultName name = fault_name(first_event_.vector);
    const bool undefined =
        first_event_.vector == static_cast<std::uint8_t>(Fault::undefined_opcode) &&
        first_event_.source == Event::Source::exception && complaint_;
    std::string what = fmt::format("unhandled {}", name.text);
    if (undefined) what = complaint_->what;
    std::string details = fmt::format("vector {}", first_event_.vector);
    if (first_event_.has_error_code)
        details += fmt::format(", error code {:#x}", first_event_.error_code);
    if (first_event_.vector == static_cast<std::uint8_t>(Fault::page))
        details += fmt::format(", cr2 {:#010x}", system_.cr2);
    what += fmt::format(" ({}{}{})", name.mnemonic, name.mnemonic.empty() ? "" : ", ", details);
    const char* const no_table =
        "the guest has no interrupt table (lidt), so no handler could take it";
    const char* const shutdown =
        "its handler and that of the double fault could not be entered: look at the interrupt "
        "table, the descriptors and the stack they need";
    system_.event = Event{};
    fail(what, undefined ? complaint_->fix : system_.idtr.limit == 0 ? no_table : shutdown);
    failure_.vector = first_event_.vector;
    if (first_event_.has_error_code) failure_.error_code = first_event_.error_code;
    if (first_event_.vector == static_cast<std::uint8_t>(Fault::page)) failure_.cr2 = system_.cr2;
    return false;
}

}  // namespace symsim
