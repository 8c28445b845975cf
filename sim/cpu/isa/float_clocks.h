// SPDX-License-Identifier: MIT
// How long the 80387 takes, and how much of that the processor is kept.
//
// An ESC instruction costs the processor the issue of the instruction and the transfer of its
// operand; then integer code goes on beside the coprocessor, until another ESC or wait finds
// BUSY# active. A store, and fnstsw ax, keep the processor until the result is there.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/cpu/isa/handlers.h"

namespace symsim {

struct FloatClocks {
    std::uint16_t processor;    // before it goes on
    std::uint16_t coprocessor;  // in all, from the start of the instruction to its result
};

// Empty: not an instruction of the coprocessor.
std::optional<FloatClocks> float_clocks(const Shape& shape);

// Op::clocks holds no more of a store that takes longer, and the handler adds the rest: there must
// be room for the clock of a long address.
constexpr unsigned kMostStaticClocks = 250;

// Op::immediate of such an instruction: the 11 bits of its opcode that fstenv tells, and above them
// the coprocessor's clocks.
constexpr unsigned kEscOpcodeBits = 11;
constexpr std::uint32_t esc_immediate(unsigned opcode, unsigned clocks) {
    return opcode | clocks << kEscOpcodeBits;
}

}  // namespace symsim
