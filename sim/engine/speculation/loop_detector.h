// SPDX-License-Identifier: MIT
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
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/cpu/state/context.h"
#include "sim/cpu/state/loop_watch.h"

namespace symsim {

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

}  // namespace symsim
