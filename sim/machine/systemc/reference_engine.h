// SPDX-License-Identifier: MIT
// The reference engine: SystemC as a hardware modeller would write it. There is one process for
// each processor, one for the interconnect and one for the devices. The kernel wakes them for each
// instruction, access and transaction at its own time. No processor runs ahead.
//
// At one time the interconnect and the devices act first, in the first delta cycle of that time.
// Processors act one delta cycle later, in the order of their numbers (Turns).
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "sim/base/processor_set.h"
#include "sim/engine/engine.h"
#include "sim/engine/speculation/loop_skipper.h"
#include "sim/engine/speculation/rollback_points.h"

namespace symsim {

// Orders the processor processes that act at the same time: by the numbers of their processors. The
// kernel may call them in any order. Each process first announces that it will act, in the delta
// cycle before; a process that is called too early waits within the delta cycle for its turn.
class Turns {
  public:
    explicit Turns(std::size_t processors) : turn_event_(processors) {}

    // The processor will act at the current time, or call finish() if it does not.
    void announce(ProcessorId processor) { announced_.add(processor); }
    // Waits until all announced processors with lower numbers have finished.
    void take(ProcessorId processor) {
        announce(processor);
        while (announced_.lowest() != processor) sc_core::wait(turn_event_[processor]);
    }
    // The processor has acted, or does not act at this time. Wakes the next one.
    void finish(ProcessorId processor) {
        announced_.remove(processor);
        if (!announced_.empty()) turn_event_[announced_.lowest()].notify();
    }

  private:
    ProcessorSet announced_;
    std::vector<sc_core::sc_event> turn_event_;  // for each processor: its turn has come
};

class ReferenceEngine final : public sc_core::sc_module, public Engine, public InterruptPins {
  public:
    ReferenceEngine(const sc_core::sc_module_name& name, RunOutcome& outcome);
    // Called before the simulation starts; or, with the processors' wake states, when this engine
    // takes over from another.
    void build(const Parts& parts, Observer& observer,
               const std::vector<WakeState>& wake_states = {});

    void synchronise(Time) override {}
    bool deadlocked(Time at) override;
    void device_accessed() override {}
    void call_back_at(Time at, std::function<Time(Time)> callback) override;
    void interrupt_line(ProcessorId processor, bool asserted, Time at) override;
    void nmi(ProcessorId processor, Time at) override;

    // For a debugger. These processors, and no others, stand still from now on, also within an
    // instruction. Simulated time passes, but they need as much time as before for what they have
    // to do. Only the bus continues for them: their stores leave the write buffer, their reads are
    // answered, and their caches snoop. A locked instruction that has its line continues until its
    // lock ends, since the lock keeps others off the line.
    void hold(const ProcessorSet& processors);

  private:
    struct Cpu final : InOrderWaiter {
        Cpu(Processor& p, CacheController& c, Observer& o, Turns& t)
            : InOrderWaiter(p.id(), o), processor(p), turns(t), points(p, c, o), loops(p) {
            c.connect(*this);
        }
        void wake(Time at) override;

        Processor& processor;
        Turns& turns;
        // Used only to find endless loops (deadlocked()).
        RollbackPoints points;
        LoopSkipper loops;
        sc_core::sc_event woken;
        Time wake_at = kNever;  // when the processor may continue; kNever: not known yet
        StopReason stop_reason = StopReason::retry;
        Time held_time = 0;  // of all holds that have ended
        Time held_from = 0;  // begin of the hold now
    };

    void processor_process(Cpu& cpu);
    void pause(Cpu& cpu);
    bool take_turn(const Cpu& cpu, bool waiting, Time held_before);
    Time held_time(const Cpu& cpu) const;
    // The process of the interconnect or of the devices: calls advance() at each next_event().
    template <class Part>
    void event_process(Part& part, sc_core::sc_event& sooner);
    void interrupted(ProcessorId processor, Time at);
    void sleep_until(Time at, const Cpu& cpu);

    RunOutcome& outcome_;
    Parts parts_;
    Observer* observer_ = nullptr;
    std::vector<std::unique_ptr<Cpu>> cpus_;
    Turns turns_{kMaxProcessors};
    ProcessorSet held_;
    sc_core::sc_event released_;  // held_ has changed
    sc_core::sc_event interconnect_sooner_;
    sc_core::sc_event device_sooner_;
};

}  // namespace symsim
