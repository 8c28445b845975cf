// SPDX-License-Identifier: MIT
// The one SystemC process of the fast engine. It lets the engine run up to the kernel's next
// pending activity, and then waits so that the kernel reaches the same time.
#pragma once

#include <functional>
#include <systemc>
#include <vector>

#include "sim/engine/engine.h"
#include "sim/engine/fast_engine.h"

namespace symsim {

class FastDriver final : public sc_core::sc_module, public Engine {
  public:
    FastDriver(const sc_core::sc_module_name& name, RunOutcome& outcome);
    FastEngine& engine() { return engine_; }

    void synchronise(Time at) override { engine_.synchronise(at); }
    bool deadlocked(Time at) override { return engine_.deadlocked(at); }
    void device_accessed() override;
    void call_back_at(Time at, std::function<Time(Time)> callback) override;
    // Called before the simulation starts. At `at` all processors have executed everything before
    // `at` and nothing later, and bus and devices have not acted at `at`. Then this engine ends,
    // and passes their wake states to `successor`.
    using Successor = std::function<void(const std::vector<WakeState>&)>;
    void hand_over_at(Time at, Successor successor);

  private:
    void process();
    void call();

    RunOutcome& outcome_;
    FastEngine engine_;
    Time call_at_ = kNever;
    std::function<Time(Time)> callback_;
    Time hand_over_at_ = kNever;
    Successor successor_;
};

}  // namespace symsim
