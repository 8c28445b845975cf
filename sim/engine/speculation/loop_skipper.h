// SPDX-License-Identifier: MIT
// Skips iterations of loops, for one processor. There are two kinds of loops:
//   Delay loops count a register down. Their iterations are skipped at once, during a run.
//   Sleeping loops repeat with the same state (LoopDetector). The run ends, and the processor
//   sleeps until a snoop or an interrupt wakes it. wake() then adds the complete iterations in
//   between.
//
// As EngineHook of a run by itself, it ends the run at its limit.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/cpu/core/processor.h"
#include "sim/cpu/isa/delay_loop.h"
#include "sim/cpu/isa/op.h"
#include "sim/cpu/state/context.h"
#include "sim/cpu/state/hooks.h"
#include "sim/engine/speculation/loop_detector.h"

namespace symsim {

// How many iterations of a delay loop (sim/cpu/isa/delay_loop.h) can be skipped by arithmetic. All
// its iterations take the same time, which the first one shows.
//
// The first iteration, the last one, and one more before the limit of the run are executed in the
// normal way. This leaves the flags and the last uses of cache lines as if no iteration had been
// skipped. LoopSkipper does the skipping.
class CountedLoop {
  public:
    void forget() { eip_ = ~Address{0}; }

    // The iterations that can be skipped.
    struct Spare {
        std::uint64_t iterations = 0;
        std::uint8_t counter = 0;  // the register
        std::uint64_t instructions = 0;
        Time turn = 0;
    };
    // To be called after each taken jump of a delay loop, from forget() on. `now` is the state
    // after `jump`. The iterations take place before `limit`.
    Spare turn(const Context& now, const Op& jump, Time limit) {
        const bool again = now.eip == eip_;
        const std::uint64_t instructions = now.instructions - instructions_;
        const Time turn = now.time - time_;
        eip_ = now.eip;
        instructions_ = now.instructions;
        time_ = now.time;
        if (!again || limit - now.time < 2 * turn) return {};
        const DelayLoop loop = delay_loop_of(jump);
        if (!loop.counter || loop.instructions != instructions) return {};
        const auto fit = static_cast<std::uint64_t>((limit - now.time) / turn - 1);
        const std::uint32_t left = now.regs.r[loop.counter->dst] - loop.last - 1;
        return {std::min<std::uint64_t>(fit, left), loop.counter->dst, instructions, turn};
    }

  private:
    Address eip_ = ~Address{0};
    std::uint64_t instructions_ = 0;
    Time time_ = 0;
};

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
