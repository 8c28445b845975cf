// SPDX-License-Identifier: MIT
// Exceptions raised by instructions, also during the delivery of another: double fault and shutdown
// (PRM chapter 9).
#include "sim/cpu/state/exceptions.h"

#include <fmt/format.h>

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

Event event_of(Fault fault, std::uint32_t error_code, Offset return_eip) {
    Event event;
    event.vector = static_cast<std::uint8_t>(fault);
    event.has_error_code = has_error_code(fault);
    event.error_code = error_code;
    event.return_eip = return_eip;
    return event;
}

bool is_double_fault(const Event& event) {
    return event.source == Event::Source::exception &&
           event.vector == static_cast<std::uint8_t>(Fault::double_fault);
}

}  // namespace

bool Exceptions::non_speculative() {
    core_.execution.non_speculative = core_.execution.eventful = true;
    const Time now = core_.now();
    return now <= core_.commit_time || core_.pause(now, StopReason::retry);
}

bool Exceptions::raise(Fault fault, std::uint32_t error_code) {
    return begin_event(event_of(fault, error_code, core_.context.eip));
}

// Forgets all that came before if a wild program is refused at ever new places.
bool Exceptions::refuse(const Complaint& complaint) {
    constexpr std::size_t kMost = 1000;
    if (refusals_.size() == kMost) refusals_.clear();
    refusals_.insert_or_assign(core_.context.eip, complaint);
    return raise(complaint.fault);
}

const Complaint* Exceptions::refused(Offset eip) const {
    const auto found = refusals_.find(eip);
    return found == refusals_.end() ? nullptr : &found->second;
}

// The return address is that of the next instruction: Interrupts::may_begin() sets it.
void Exceptions::raise_after(Fault fault, std::uint32_t error_code) {
    core_.system.deferred = event_of(fault, error_code, 0);
    core_.system.deferred.active = true;
    core_.set_stop();
}
bool Exceptions::begin_event(const Event& next) {
    const Time now = core_.now();
    if (now > core_.commit_time) return core_.pause(now, StopReason::retry);
    // The delivery begins after the instruction's reads, and after the stores in its last clocks.
    core_.context.time = now;
    Event& event = core_.system.event;
    if (event.active && is_double_fault(event)) return triple_fault();
    if (!event.active) first_event_ = next;
    if (event.active && doubles(event, next)) {
        event = event_of(Fault::double_fault, 0, core_.context.eip);
    } else {
        event = next;
    }
    event.active = true;
    core_.abandon();
    // A fault saves the flags with RF set. Traps (single step is the only debug exception here) and
    // aborts save RF clear (PRM 12.3.1.1).
    if (event.source == Event::Source::exception) {
        const bool trap = event.vector == static_cast<std::uint8_t>(Fault::debug);
        const bool set = !trap && !is_double_fault(event);
        core_.context.flags.set(Flags::kResume, set ? +Flags::kResume : 0u);
    }
    return core_.pause(now, StopReason::raised);
}

// An exception during the delivery of a double fault shuts a 386 down. The report names the
// exception that came first.
bool Exceptions::triple_fault() {
    const FaultName name = fault_name(first_event_.vector);
    const Complaint* const undefined =
        first_event_.vector == static_cast<std::uint8_t>(Fault::undefined_opcode) &&
                first_event_.source == Event::Source::exception
            ? refused(first_event_.return_eip)
            : nullptr;
    std::string what = fmt::format("unhandled {}", name.text);
    if (undefined) what = undefined->what;
    std::string details = fmt::format("vector {}", first_event_.vector);
    if (first_event_.has_error_code)
        details += fmt::format(", error code {:#x}", first_event_.error_code);
    if (first_event_.vector == static_cast<std::uint8_t>(Fault::page))
        details += fmt::format(", cr2 {:#010x}", core_.system.cr2);
    what += fmt::format(" ({}{}{})", name.mnemonic, name.mnemonic.empty() ? "" : ", ", details);
    const char* const no_table =
        "the guest has no interrupt table (lidt), so no handler could take it";
    const char* const shutdown =
        "its handler and that of the double fault could not be entered: look at the interrupt "
        "table, the descriptors and the stack they need";
    core_.system.event = Event{};
    fail(what, undefined ? undefined->fix : core_.system.idtr.limit == 0 ? no_table : shutdown);
    failure_.vector = first_event_.vector;
    if (first_event_.has_error_code) failure_.error_code = first_event_.error_code;
    if (first_event_.vector == static_cast<std::uint8_t>(Fault::page))
        failure_.cr2 = core_.system.cr2;
    return false;
}

bool Exceptions::fail(const std::string& what, const std::string& fix) {
    const Time at = core_.now();
    if (at > core_.commit_time) return core_.pause(at, StopReason::retry);
    failure_.what = what;
    failure_.fix = fix;
    failure_.processor = core_.id;
    failure_.time = core_.commit_time;
    failure_.eip = core_.context.eip;
    core_.pause(core_.commit_time, StopReason::failed);
    if (debug_) debug_->failed(core_.id);
    return false;
}

}  // namespace symsim
