// SPDX-License-Identifier: MIT
// Recognises delay loops: `dec r; jnz`, perhaps with nops, which do nothing but count a register
// down. All iterations are alike except for that register, and take the same time: their
// instructions are in the cache, wait for nothing and access no memory. So iterations can be
// skipped by arithmetic.
//
// The first iteration, the last one, and one more before the limit of the run are executed in the
// normal way. This leaves the flags and the last uses of cache lines as if no iteration had been
// skipped. Processor::skip_iterations() does the skipping.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/cpu/core/context.h"
#include "sim/cpu/isa/op.h"

namespace symsim {

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
    // To be called after each taken jnz, from forget() on. False: the jnz before went to another
    // target, the iteration is too long, or the loop is known to do something else.
    bool repeats(const Context& now) {
        const bool again = now.eip == eip_;
        turn_instructions_ = now.instructions - instructions_;
        turn_ = now.time - time_;
        eip_ = now.eip;
        instructions_ = now.instructions;
        time_ = now.time;
        return again && turn_instructions_ <= kMostInstructions && eip_ != other_eip_;
    }
    // How many iterations can be skipped before `limit`, after repeats() has returned true. `jump`
    // is the taken jnz, `target` the instruction it leads to.
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

    // The instruction that counts the register down; null if the loop does something else.
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
    Address other_eip_ = ~Address{0};  // target of a loop that does something else
    std::uint64_t instructions_ = 0;
    Time time_ = 0;
    std::uint64_t turn_instructions_ = 0;  // of the last iteration
    Time turn_ = 0;
};

}  // namespace symsim
