// SPDX-License-Identifier: MIT
// Finds loops that come round with nothing changed but time. Such a loop makes no store and meets
// nothing but cache hits (anything else ends the run it is looked for in), so it goes on for ever
// in equal periods until a line it reads is snooped. Registers and flags are compared, and no mark
// may have been made on the way: the proof is the comparison, not a guess about the code.
//
// The state compared with is replaced at the 1st, 2nd, 4th, 8th ... turn (Brent's method), so that
// long periods are found too and most turns cost one comparison of eip. It is not saved where
// something has been stored since the state was last looked at: such loops do not come round.
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

    // Called behind each backward branch. True: the state is that of an earlier turn.
    bool repeats_state(const Context& now, std::size_t marks) {
        return turned(now) && looked_at(now, marks);
    }
    // In two steps, the first of which settles most turns.
    bool turned(const Context& now) {
        return ++turns_ >= next_saved_ ||
               (now.eip == saved_.eip && same_registers(now.regs, saved_.regs));
    }
    bool looked_at(const Context& now, std::size_t marks) {
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

    // Of the loop found: the state at the beginning of a turn, and what a turn adds to it.
    const Context& start() const { return saved_; }
    Time period() const { return period_; }
    std::uint64_t instructions() const { return instructions_; }
    std::uint64_t branches() const { return branches_; }

  private:
    // Most loops count: the first register that differs settles it.
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
