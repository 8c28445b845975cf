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
#include <cstddef>
#include <cstdint>

#include "sim/cpu/core/processor.h"
#include "sim/cpu/isa/delay_loop.h"
#include "sim/cpu/isa/op.h"
#include "sim/cpu/state/context.h"
#include "sim/cpu/state/hooks.h"
#include "sim/cpu/state/loop_watch.h"
#include "sim/engine/speculation/rollback_points.h"

namespace symsim {

// Finds loops that repeat with the same state: only time changes from one iteration to the next.
// Such a loop makes no store and meets nothing but cache hits, since anything else ends the
// processor's run or changes the state. So it repeats for ever, with a constant period, until a
// line that it reads is snooped. The detector compares registers and flags, and no mark may have
// been made in between. The comparison is a proof: nothing is guessed from the code.
//
// The detector is on while a processor runs ahead. The processor asks after the backward jumps that
// LoopWatch chooses.
//
// The saved state is replaced at the 1st, 2nd, 4th, 8th ... iteration (Brent's cycle-finding
// algorithm). So long periods are found too, and most iterations cost one comparison of eip. It is
// not saved after a store: a loop with a store does not repeat with the same state.
class LoopDetector {
  public:
    explicit LoopDetector(LoopWatch& watch) : watch_(watch) {}

    // Begins without earlier iterations.
    void on() { watch_.restart(); }
    void off() { watch_.off(); }

    // To be called when LoopWatch asks. True: the state is that of an earlier iteration.
    bool repeats_state(const Context& now, std::size_t marks) {
        const std::uint64_t next_saved = watch_.from();
        if (next_saved > 1 && same_state(now, marks)) {
            period_ = now.time - saved_.time;
            instructions_ = now.instructions - saved_.instructions;
            branches_ = now.branches - saved_.branches;
            saved_ = now;
            return true;
        }
        if (watch_.jumps() < next_saved) return false;
        saved_ = now;
        marks_ = marks;
        watch_.watch_for(saved_, 2 * next_saved);
        return false;
    }

    // For the loop found: the state at the start of an iteration, and what one period adds to that
    // state.
    const Context& start() const { return saved_; }
    Time period() const { return period_; }
    std::uint64_t instructions() const { return instructions_; }
    std::uint64_t branches() const { return branches_; }

  private:
    bool same_state(const Context& now, std::size_t marks) const {
        return now.eip == saved_.eip && same_registers(now.regs, saved_.regs) &&
               now.flags == saved_.flags && now.fetch_line == saved_.fetch_line &&
               now.changes == saved_.changes && marks == marks_;
    }

    LoopWatch& watch_;
    std::size_t marks_ = 0;
    Context saved_;
    Time period_ = 0;
    std::uint64_t instructions_ = 0;
    std::uint64_t branches_ = 0;
};

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

// Whether the processor, which stopped at `at` for `stop_reason`, is halted or in such a loop.
// Looks ahead, and rolls back: nothing may be speculative before, and nothing is after.
bool loops_for_ever(Processor& processor, RollbackPoints& points, LoopSkipper& loops, Time at,
                    StopReason stop_reason);

}  // namespace symsim
