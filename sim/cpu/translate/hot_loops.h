// SPDX-License-Identifier: MIT
// Finds the loops that are worth a translation: short ones that a processor repeats.
//
// Translated code is large. Code that is executed once and again later, after other code, waits for
// the host's instruction cache then, which takes longer than to interpret it.
#pragma once

#include <array>
#include <cstdint>

#include "sim/cpu/isa/op.h"

namespace symsim {

class HotLoops {
  public:
    // To be called after each backward jump. Whether the loop is to be translated now.
    bool finds(const Op& jump, const Op& target) {
        Loop& loop = loops_[target.address / 4 % kLoops];
        if (loop.target != &target) {
            loop = {&target, 1};
            return false;
        }
        return ++loop.turns == kOften && jump.address - target.address <= kMostBytes;
    }

  private:
    struct Loop {
        const Op* target = nullptr;
        std::uint32_t turns = 0;
    };
    static constexpr std::size_t kLoops = 4;
    static constexpr std::uint32_t kOften = 16;
    static constexpr Address kMostBytes = 512;

    std::array<Loop, kLoops> loops_;
};

}  // namespace symsim
