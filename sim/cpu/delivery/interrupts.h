// SPDX-License-Identifier: MIT
// What can happen between two instructions: the end of the run, an entry of the schedule, the
// debugger, a deferred exception, a halt, an interrupt, a single-step trap. Also delivers events.
#pragma once

#include <vector>

#include "sim/base/interrupt_source.h"
#include "sim/base/observer.h"
#include "sim/cpu/mmu/segmentation_unit.h"
#include "sim/cpu/state/hooks.h"

namespace symsim {

class Interrupts : public SegmentationUnit {
  public:
    // Sets the line from the interrupt controller. Instructions that begin from now on see the new
    // level. The engine has rolled back speculative execution before the call.
    void set_interrupt_line(bool asserted) {
        core_.line = asserted;
        core_.set_stop();
    }
    void signal_nmi() {
        core_.nmi = true;
        core_.set_stop();
    }
    // Whether the processor, if halted, would continue now.
    bool wakes() const { return core_.wakes(); }
    bool halted() const { return core_.stop_reason == StopReason::halted; }
    // Only for processors that execute nothing speculatively. Null removes the hook. Returns the
    // previous hook.
    DebugHook* set_debug_hook(DebugHook* hook);
    // Returns the previous schedule.
    Schedule set_schedule(Schedule schedule);
    const Schedule& schedule() const { return schedule_; }

    // --- what instruction handlers use ---------------------------------------------------------
    // The interrupt flag or the trap flag may have changed.
    void flags_changed() { core_.set_stop(); }
    // For popf and iret: replaces the flags that the current privilege level may change.
    void write_flags(std::uint32_t value, unsigned size);
    // No interrupt is taken before the next instruction has completed.
    void shadow() { core_.context.shadow_at = core_.context.instructions + 2; }
    // No single-step trap of this instruction is taken either.
    void shadow_all() {
        shadow();
        core_.context.stepping = false;
    }
    bool halt();

  protected:
    Interrupts(ProcessorId id, const ProcessorConfig& config, CacheController& cache,
               InterruptSource& source)
        : SegmentationUnit(id, config, cache), interrupts_(source) {}

    bool may_begin();
    bool extend_limit();
    bool at_limit();
    bool deliver();
    void look_for_region(const std::vector<Mark>& marks);
    // To be called when the debugger or the schedule has changed.
    void watch() {
        core_.watched = debug_ || schedule_.active();
        note_accesses(core_.watched);
    }

    EngineHook* hook_ = nullptr;

  private:
    bool take_interrupt();
    bool follow_schedule();

    InterruptSource& interrupts_;
};

// Delivers the event through the interrupt vector table in real mode, else through a gate of the
// IDT. The processor's state changes only at the end. False: an access cannot be made now, or
// another exception was raised. Interrupts::deliver() then calls deliver_event() again, from
// the start or with the new event.
bool deliver_event(SegmentationUnit& cpu, const Event& event);

}  // namespace symsim
