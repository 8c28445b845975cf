// SPDX-License-Identifier: MIT
// Finds loops that repeat with the same state: only time changes from one iteration to the next.
// Such a loop makes no store and meets nothing but cache hits, since anything else ends the
// processor's run or changes the state. So it repeats for ever, with a constant period, until a
// line that it reads is snooped. The detector compares registers and flags, and no mark may have
// been made in between. The comparison is a proof: nothing is guessed from the code.
//
// RunAhead turns the detector on while a processor runs ahead. Processor asks it after each
// backward branch.
//
// The saved state is replaced at the 1st, 2nd, 4th, 8th ... iteration (Brent's cycle-finding
// algorithm). So long periods are found too, and most iterations cost one comparison of eip. The
// state is not saved if a store was made since the detector last looked at the state: a loop with a
// store does not repeat with the same state.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/cpu/core/context.h"

namespace symsim {

class LoopDetector {
  public:
    void watch(bool on) { watching_ = on; }
    bool watching() const { return watching_; }
    void forget() {
        turns_ = 0;
        next_saved_ = 1;
        saved_.eip = ~Address{0};
    }

    // To be called after each backward branch. True: the state is that of an earlier iteration.
    bool repeats_state(const Context& now, std::size_t marks) {
        return may_repeat(now) && compare(now, marks);
    }
    // repeats_state() in two steps. If may_repeat() is false, as usually, compare() need not be
    // called.
    bool may_repeat(const Context& now) {
        return ++turns_ >= next_saved_ ||
               (now.eip == saved_.eip && same_registers(now.regs, saved_.regs));
    }
    bool compare(const Context& now, std::size_t marks) {
        if (now.eip == saved_.eip && same_registers(now.regs, saved_.regs) &&
            now.flags == saved_.flags && now.fetch_line == saved_.fetch_line &&
            now.changes == saved_.changes && marks == marks_) {
            period_ = now.time - saved_.time;
            instructions_ = now.instructions - saved_.instructions;
            branches_ = now.branches - saved_.branches;
            saved_ = now;
            return true;
        }
        if (turns_ < next_saved_) return false;
        if (now.changes == changes_) {
            next_saved_ *= 2;
            saved_ = now;
            marks_ = marks;
        }
        changes_ = now.changes;
        return false;
    }

    // For the loop found: the state at the start of an iteration, and what one period adds to that
    // state.
    const Context& start() const { return saved_; }
    Time period() const { return period_; }
    std::uint64_t instructions() const { return instructions_; }
    std::uint64_t branches() const { return branches_; }

  private:
    // Most loops count in a register: the comparison ends at the first register that differs.
    static bool same_registers(const Registers& a, const Registers& b) {
        for (std::size_t i = 0; i < a.r.size(); ++i)
            if (a.r[i] != b.r[i]) return false;
        return true;
    }

    bool watching_ = false;
    std::uint64_t turns_ = 0;
    std::uint64_t next_saved_ = 1;
    std::size_t marks_ = 0;
    std::uint64_t changes_ = 0;  // Context::changes when last looked at
    Context saved_;
    Time period_ = 0;
    std::uint64_t instructions_ = 0;
    std::uint64_t branches_ = 0;
};

}  // namespace symsim
