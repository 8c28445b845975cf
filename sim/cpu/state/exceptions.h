// SPDX-License-Identifier: MIT
// The lowest layer of a processor: its state, and exceptions. An exception or interrupt begins here
// as an Event; Interrupts (sim/cpu/delivery) delivers it to its handler. What no program may do
// ends the run as a GuestFailure.
#pragma once

#include <string>
#include <vector>

#include "sim/base/failure.h"
#include "sim/cpu/state/branch_trace.h"
#include "sim/cpu/state/core_state.h"
#include "sim/cpu/state/fault.h"
#include "sim/cpu/state/hooks.h"
#include "sim/cpu/state/processor_config.h"

namespace symsim {

class Exceptions {
  public:
    CoreState& core() { return core_; }
    const CoreState& core() const { return core_; }

    ProcessorId id() const { return core_.id; }
    const Clock& clock() const { return core_.clock; }
    Isa isa() const { return core_.isa; }
    Context& context() { return core_.context; }
    const Context& context() const { return core_.context; }
    System& system() { return core_.system; }
    const System& system() const { return core_.system; }
    Registers& regs() { return core_.context.regs; }
    const Registers& regs() const { return core_.context.regs; }
    Flags& flags() { return core_.context.flags; }
    // The flags that a 386 does not have and this processor has.
    std::uint32_t later_flags() const {
        return (isa() >= Isa::i486 ? +Flags::kAlignment : 0u) |
               (isa() >= Isa::i586 ? +Flags::kIdentification : 0u);
    }
    // Replaces all flags that the processor has.
    void load_flags(std::uint32_t value) {
        constexpr std::uint32_t kLater = Flags::kAlignment | Flags::kIdentification;
        flags().set(value & (~kLater | later_flags()));
    }
    Offset next_eip() const { return core_.next_eip; }

    // Clocks beyond Op::clocks that depend on data.
    void add_clocks(unsigned n) { core_.add_clocks(n); }
    // Takes a branch whose target has already been checked against the code segment's limit.
    void go_to(Offset target, Arrival arrival = Arrival::by_branch) {
        core_.go_to(target, arrival);
    }
    // A repeated string instruction has more elements: it is executed again without another fetch.
    void repeat() { core_.execution.repeating = core_.execution.eventful = true; }
    // To be called when state other than registers and flags has changed: for the loop detector.
    void changed() { core_.changed(); }

    // To be called first by an instruction that changes System. The instruction is then executed
    // only when commit time has reached it. Its accesses follow each other in the order made, loads
    // and stores alike, two clocks apart.
    bool non_speculative();
    // Raises an exception: the instruction changes nothing. Always returns false.
    bool raise(Fault fault, std::uint32_t error_code = 0);
    // Raises an exception after the instruction has completed, before the next one.
    void raise_after(Fault fault, std::uint32_t error_code);
    // Raises the exception of an instruction that this processor cannot execute.
    bool refuse(const Complaint& complaint) {
        complaint_ = &complaint;
        return raise(complaint.fault);
    }
    // Raises a general protection fault outside ring 0.
    bool require_ring_0() { return core_.system.cpl == 0 || raise(Fault::general_protection); }
    // Begins an exception or interrupt. Always returns false.
    bool begin_event(const Event& event);
    // The guest asked for something this machine cannot do. Ends the run when commit time has
    // reached the instruction. Always returns false.
    bool fail(const std::string& what, const std::string& fix);
    const GuestFailure& failure() const { return failure_; }
    // For the report of a failure.
    std::vector<Branch> last_branches() const { return trace_.last(core_.context.branches); }
    BranchTrace& branch_trace() { return trace_; }

  protected:
    Exceptions(ProcessorId id, const ProcessorConfig& config)
        : core_(id, config.period(), config.isa) {}

    // A branch or an event leads from one offset in cs to another. It empties the prefetch queue.
    void record_branch(Offset from, Offset to, Arrival arrival) {
        core_.context.eip = to;
        core_.context.fetch_line = kNoLine;
        core_.context.arrival = arrival;
        trace_.add(core_.context.branches++, from, to);
    }

    CoreState core_;
    DebugHook* debug_ = nullptr;
    BranchTrace trace_;

  private:
    bool triple_fault();

    GuestFailure failure_;
    // The first of the nested exceptions that led to the one being delivered.
    Event first_event_;
    const Complaint* complaint_ = nullptr;  // of the last undefined opcode
};

}  // namespace symsim
