// SPDX-License-Identifier: MIT
// Loops that do nothing but count a register down: `dec r; jnz`, perhaps with nops, as delays are
// written. Every turn is like the one before but for that register, and takes as long: its
// instructions are there, meet no wait and touch no memory. So turns can be left out by
// arithmetic. The first, the last, and one more at the end of what may be executed, are executed
// as all others, which leaves flags and the uses of cache lines as if none had been left out.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/cpu/core/context.h"
#include "sim/cpu/isa/op.h"

namespace symsim {

class CountedLoop {
  public:
    void forget() { eip_ = ~Address{0}; }

    // What may be left out, behind a taken jnz, `jump`, to `target`, before `limit`.
    struct Spare {
        std::uint64_t turns = 0;
        std::uint8_t counter = 0;  // the register
        std::uint64_t instructions = 0;
        Time turn = 0;
    };
    // To be asked behind every such jump, from forget() on. False: the last was another, or too
    // long ago.
    bool repeats(const Context& now) {
        const bool again = now.eip == eip_;
        turn_instructions_ = now.instructions - instructions_;
        turn_ = now.time - time_;
        eip_ = now.eip;
        instructions_ = now.instructions;
        time_ = now.time;
        return again && turn_instructions_ <= kMostInstructions && eip_ != other_eip_;
    }
    // Then.
    Spare spare(const Context& now, const Op* target, const Op& jump, Time limit) {
        if (limit - now.time < 2 * turn_) return {};
        const Op* const counter = counter_of(target, jump);
        if (!counter) {
            other_eip_ = eip_;
            return {};
        }
        const auto fit = static_cast<std::uint64_t>((limit - now.time) / turn_ - 1);
        const std::uint64_t left = now.regs.r[counter->dst] - 1;
        return {std::min(fit, left), counter->dst, turn_instructions_, turn_};
    }

  private:
    static constexpr std::uint64_t kMostInstructions = 4;

    // The instruction that counts; null if the loop does something else.
    const Op* counter_of(const Op* target, const Op& jump) const {
        const Op* counter = nullptr;
        const Op* op = target;
        for (std::uint64_t n = 1; n < turn_instructions_; ++n, op = op->next) {
            if (!plain(op, jump)) return nullptr;
            if (op->in_loop == InLoop::counts && !counter)
                counter = op;
            else if (op->in_loop != InLoop::idles)
                return nullptr;
        }
        return op == &jump && plain(op, jump) ? counter : nullptr;
    }

    static bool plain(const Op* op, const Op& jump) {
        return op && op->execute && !op->probed() && op->region == jump.region;
    }

    Address eip_ = ~Address{0};
    Address other_eip_ = ~Address{0};  // of a loop that was seen to do something else
    std::uint64_t instructions_ = 0;
    Time time_ = 0;
    std::uint64_t turn_instructions_ = 0;  // of the last turn
    Time turn_ = 0;
};

}  // namespace symsim
