// SPDX-License-Identifier: MIT
// Recognises delay loops: `dec r; jnz` or `dec r; jns`, perhaps with nops, which do nothing but
// count a register down. All iterations are alike except for that register: their instructions are
// in the cache, wait for nothing and access no memory. So iterations can be skipped by arithmetic.
#pragma once

#include <cstdint>

#include "sim/cpu/isa/op.h"

namespace symsim {

struct DelayLoop {
    const Op* counter = nullptr;     // the dec; null: it is not a delay loop
    std::uint64_t instructions = 0;  // of an iteration, with the jump
    std::uint32_t last = 0;          // the counter after the last iteration, as unsigned number
};
// Conditions of the jumps that close such loops, as in the opcode.
constexpr unsigned kNotZero = 5;
constexpr unsigned kNotSign = 9;

// The loop that `jump` closes.
inline DelayLoop delay_loop_of(const Op& jump) {
    constexpr std::uint64_t kMostInstructions = 4;
    if (jump.in_loop != InLoop::repeats) return {};
    DelayLoop loop;
    if (jump.extra == kNotSign) loop.last = ~0u;
    const Op* op = jump.target;
    for (loop.instructions = 1; loop.instructions <= kMostInstructions; ++loop.instructions) {
        if (!op || !op->execute || op->probed() || op->region != jump.region) return {};
        if (op == &jump) return loop.counter ? loop : DelayLoop{};
        if (op->in_loop == InLoop::counts && !loop.counter)
            loop.counter = op;
        else if (op->in_loop != InLoop::idles)
            return {};
        op = op->next;
    }
    return {};
}

}  // namespace symsim
