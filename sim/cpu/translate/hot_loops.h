// SPDX-License-Identifier: MIT
// Finds the loops that are worth a translation: short ones that a processor repeats.
//
// Translated code is large. Code that is executed once and again later, after other code, waits for
// the host's instruction cache then, which takes longer than to interpret it.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/options.h"
#include "sim/cpu/isa/op.h"

namespace symsim {

class HotLoops {
  public:
    explicit HotLoops(Translation translation) {
        if (translation == Translation::none) often_ = 0;
        if (translation == Translation::all) {
            often_ = 1;
            most_bytes_ = ~Address{0};
        }
    }
    // To be called after each backward jump. Whether the loop is to be translated now.
    bool finds(const Op& jump, const Op& target) {
        Loop& loop = loops_[target.address / 4 % kLoops];
        if (loop.target != &target) loop = {&target, 0};
        return ++loop.turns == often_ && jump.address - target.address <= most_bytes_;
    }

  private:
    struct Loop {
        const Op* target = nullptr;
        std::uint32_t turns = 0;
    };
    static constexpr std::size_t kLoops = 4;
    std::array<Loop, kLoops> loops_;
    std::uint32_t often_ = 16;  // turns before a loop is translated; 0: never
    Address most_bytes_ = 512;  // of a loop
};

}  // namespace symsim
