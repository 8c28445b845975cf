// SPDX-License-Identifier: MIT
// An instruction as Zydis decodes it, and the Shape derived from it.
#pragma once

#include <Zydis/Zydis.h>

#include <array>
#include <cstdint>

#include "sim/cpu/isa/clocks.h"
#include "sim/cpu/isa/handlers.h"

namespace symsim {

struct Decoded {
    ZydisDecodedInstruction instruction;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;

    const ZydisDecodedOperand& operand(unsigned n) const { return operands[n]; }
    bool has(ZydisInstructionAttributes attribute) const {
        return instruction.attributes & attribute;
    }
};

inline std::uint8_t number(ZydisRegister reg) {
    return static_cast<std::uint8_t>(ZydisRegisterGetId(reg));
}
inline bool is_string(ZydisMnemonic mnemonic) {
    return element_clocks(mnemonic) != 0;
}
// A control, debug or test register.
bool is_special(ZydisRegister reg);

Form form_of(const Decoded& d);
Shape shape_of(const Decoded& d);

}  // namespace symsim
