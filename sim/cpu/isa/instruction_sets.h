// SPDX-License-Identifier: MIT
// Which processor has an instruction (guest/instruction_sets.def).
#pragma once

#include <array>
#include <string_view>

#include "sim/base/options.h"
#include "sim/cpu/isa/shape.h"

namespace symsim {

// A row of the table. Lists have one space between words.
struct InstructionSet {
    Isa isa;
    std::string_view name;  // the value of processor.isa
    std::string_view registers;
    std::string_view added;
    std::string_view added_lockable;

    std::string_view number() const { return name.substr(1); }  // "386"
};

constexpr std::array kInstructionSets = {
#define ISA(name, registers, added, added_lockable) \
    InstructionSet{Isa::name, #name, registers, added, added_lockable},
#include "guest/instruction_sets.def"
#undef ISA
};

constexpr const InstructionSet& instruction_set(Isa isa) {
    return kInstructionSets[static_cast<std::size_t>(isa)];
}

// Whether a processor has the instruction, with the special registers that it names.
bool has_instruction(Isa isa, const Decoded& d);

}  // namespace symsim
