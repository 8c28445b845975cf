// SPDX-License-Identifier: MIT
// Skips iterations of loops, for one processor. There are two kinds of loops:
//   Delay loops count a register down. Their iterations are skipped at once, during a run.
//   Sleeping loops repeat with the same state (LoopDetector). The run ends, and the processor
//   sleeps until a snoop or an interrupt wakes it. wake() then adds the complete iterations in
//   between.
//
// As EngineHook of a run by itself, it ends the run at its limit.
#pragma once

#include "sim/cpu/core/processor.h"
#include "sim/cpu/state/engine_hook.h"
#include "sim/engine/speculation/counted_loop.h"
#include "sim/engine/speculation/loop_detector.h"

namespace symsim {

class LoopSkipper final : public EngineHook {
  public:
    explicit LoopSkipper(Processor& processor)
        : processor_(processor), detector_(processor.loop_watch()) {}

    // To be called before each run with this hook.
    void begin_run() { counted_.forget(); }
    // Whether to look for sleeping loops.
    void detect(bool on) { on ? detector_.on() : detector_.off(); }
    // The last loop found.
    const LoopDetector& found() const { return detector_; }
    // Sets the processor to the last time not after `at` at which an iteration of the loop found
    // began. Returns the time since found().start().
    Time wake(Time at);

    Time extend(Time reached) override { return reached; }
    void skip_iterations(const Op& jump, Time limit) override;
    bool repeats_state() override {
        return detector_.repeats_state(processor_.context(), processor_.marks().size());
    }

  private:
    Processor& processor_;
    CountedLoop counted_;
    LoopDetector detector_;
};

}  // namespace symsim
