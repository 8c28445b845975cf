// SPDX-License-Identifier: MIT
// The clock counts of the 80387's instructions, and for how many of these clocks the processor is
// occupied. Sources are in float_clocks.cpp.
//
// An ESC instruction occupies the processor while it issues the instruction and transfers the
// operand. Then integer code continues in parallel with the coprocessor, until another ESC
// instruction or wait finds BUSY# active. A store and fnstsw ax occupy the processor until the
// result is there.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/cpu/isa/handlers.h"

namespace symsim {

struct FloatClocks {
    std::uint16_t processor;    // before the processor continues
    std::uint16_t coprocessor;  // in all, from the start of the instruction to its result
};

// Empty: not an instruction of the coprocessor.
std::optional<FloatClocks> float_clocks(const Shape& shape);

// The largest Op::clocks of an ESC instruction. If a store takes longer, its handler adds the rest.
// Op::clocks must still have room for kLongAddressClocks.
constexpr unsigned kMostStaticClocks = 250;

// Op::immediate of an ESC instruction: the 11 bits of the opcode that fstenv stores, and above them
// the coprocessor's clocks.
constexpr unsigned kEscOpcodeBits = 11;
constexpr std::uint32_t esc_immediate(unsigned opcode, unsigned clocks) {
    return opcode | clocks << kEscOpcodeBits;
}

}  // namespace symsim
