// SPDX-License-Identifier: MIT
// The fast engine: processors and bus in one order of time, without a kernel between them. Where
// SystemC has something of its own to do (a device, the watchdog), it comes only so far.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/engine/engine.h"
#include "sim/engine/parts.h"
#include "sim/engine/ready_queue.h"
#include "sim/engine/run_ahead.h"
#include "sim/engine/run_outcome.h"

namespace symsim {

class FastEngine final : public Waiter, public InterruptPins {
  public:
    explicit FastEngine(RunOutcome& outcome) : outcome_(outcome) {}
    // Before the first run_until().
    void build(const Parts& parts, Observer& observer);

    // Executes everything earlier than `horizon` and the end of the run.
    void run_until(Time horizon);
    // Called within run_until: something outside will happen at `at`.
    void shorten_horizon(Time at) { horizon_ = std::min(horizon_, at); }
    Time horizon() const { return horizon_; }

    void synchronise(Time at);
    bool deadlocked(Time at);

    // With nothing ahead.
    std::vector<WakeState> wake_states() const;
    void restore_wake_states(const std::vector<WakeState>& wake_states);

    void wake(ProcessorId processor, Time at) override { next_->set(processor, at); }
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
