// SPDX-License-Identifier: MIT
// An instruction as Zydis decodes it, and the Shape derived from it.
#pragma once

#include <Zydis/Zydis.h>

#include <array>
#include <cstddef>
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

// Decodes bytes with Zydis. Two kinds of instructions of a 386 are not known to Zydis, and are
// decoded by decode_bytes.cpp itself: bt with a LOCK prefix, and moves of test registers.
ZyanStatus decode_bytes(const ZydisDecoder& zydis, const std::uint8_t* bytes, std::size_t available,
                        Decoded& d);

}  // namespace symsim
