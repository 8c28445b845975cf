// SPDX-License-Identifier: MIT
// Chooses the backward jumps after which a processor asks its engine whether a loop repeats with
// the same state (EngineHook::repeats_state). The engine sets what is watched for. Most jumps cost
// one comparison of eip, without a call. A loop with a store does not repeat with the same state,
// and costs no call either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "sim/cpu/state/context.h"

namespace symsim {

// Most loops count in a register: the comparison ends at the first register that differs.
inline bool same_registers(const Registers& a, const Registers& b) {
    for (std::size_t i = 0; i < a.r.size(); ++i)
        if (a.r[i] != b.r[i]) return false;
    return true;
}

class LoopWatch {
  public:
    void off() { from_jump(kNever); }
    // Counts backward jumps from 1 again. Asks from the first one on.
    void restart() {
        jumps_ = 0;
        from_jump(1);
    }
    // Asks at backward jumps that lead to the eip and the registers of `state`. And from number
    // `jump` on at each one after which Context::changes is as at the one before.
    void watch_for(const Context& state, std::uint64_t jump) {
        eip_ = state.eip;
        regs_ = state.regs;
        from_ = jump;
    }
    std::uint64_t jumps() const { return jumps_; }
    std::uint64_t from() const { return from_; }

    // To be called after each backward jump.
    bool asks(const Context& now) {
        if (++jumps_ >= from_) return std::exchange(changes_, now.changes) == now.changes;
        return now.eip == eip_ && same_registers(now.regs, regs_);
    }

  private:
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};
    void from_jump(std::uint64_t jump) {
        eip_ = ~Address{0};
        from_ = jump;
    }

    std::uint64_t jumps_ = 0;
    std::uint64_t from_ = kNever;
    std::uint64_t changes_ = 0;  // Context::changes, last looked at from jump from_ on
    Address eip_ = ~Address{0};  // where no jump leads
    Registers regs_;
};

}  // namespace symsim
