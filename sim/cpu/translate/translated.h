// SPDX-License-Identifier: MIT
// An instruction of the guest that has been translated to code of the host, as part of a block: of
// a sequence of instructions translated together (translator.h).
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/cpu/isa/op.h"

namespace symsim {

class CacheController;

// Executes a block from one of its instructions on. The block's first instruction begins, or would
// have begun, at `begun`. The numbers have no meaning: they occupy registers, so that the host has
// the cache controller in the sixth.
using HostCode = void (*)(Processor&, const Translated&, Time begun, int, int, CacheController&);

// What the code of a block ends with.
using CodeEnd = void (*)(Processor&, const Translated&, Time begun);

struct Translated {
    HostCode code = nullptr;     // first enters the cache lines that begin in the instruction
    HostCode entered = nullptr;  // for when they have been entered
    const Op* op = nullptr;
    FastHandler alone = nullptr;    // executes the instruction by itself
    std::uint32_t offset = 0;       // ps from the block's beginning to the instruction's
    std::uint32_t last_offset = 0;  // ps from the block's beginning to that of its last one
    std::uint8_t number = 0;        // of instructions of the block before it
    std::uint8_t segments = 0;      // that the block accesses, a bit for each Seg
    std::uint8_t taken_clocks = 0;  // of a jump that is taken, beyond Op::clocks
};

// Whether a block accesses no segments but these.
inline bool accesses_no_other(const Translated& instruction, unsigned segments) {
    return (instruction.segments & ~segments) == 0;
}

// The instruction could not be executed now: it is executed by itself.
void leave_translated(Processor& cpu, const Translated& instruction, Time begun);
// The instruction after the last one of the block comes next.
void end_translated(Processor& cpu, const Translated& next, Time begun);
// The jump is taken. For jumps that the code does not take itself.
void jump_translated(Processor& cpu, const Translated& jump, Time begun);

}  // namespace symsim
