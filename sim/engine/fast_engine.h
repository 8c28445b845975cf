// SPDX-License-Identifier: MIT
// The fast engine: runs processors, bus and devices in order of simulated time, without the
// SystemC kernel. It stops where SystemC has an event of its own (a device, the watchdog).
// FastDriver calls build() once, then run_until() for each stretch up to the kernel's next event.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/engine/engine.h"
#include "sim/engine/speculation/ready_queue.h"
#include "sim/engine/speculation/run_ahead.h"

namespace symsim {

class FastEngine final : public InterruptPins {
  public:
    explicit FastEngine(RunOutcome& outcome) : outcome_(outcome) {}
    // Before the first run_until().
    void build(const Parts& parts, Observer& observer);

    // Executes everything earlier than both `horizon` and the end of the run.
    void run_until(Time horizon);
    // Called within run_until(): an event outside of the engine will happen at `at`.
    void shorten_horizon(Time at) { horizon_ = std::min(horizon_, at); }
    Time horizon() const { return horizon_; }

    void synchronise(Time at);
    bool deadlocked(Time at);
    // Of all processors, by number. To be called when nothing is speculative, after synchronise().
    std::vector<WakeState> wake_states() const;

    void interrupt_line(ProcessorId processor, bool asserted, Time at) override;
    void nmi(ProcessorId processor, Time at) override;

  private:
    RunOutcome& outcome_;
    Parts parts_;
    std::vector<std::unique_ptr<RunAhead>> run_ahead_;
    std::optional<ReadyQueue> next_;  // when each processor has something to do
    Time horizon_ = 0;
};

}  // namespace symsim
