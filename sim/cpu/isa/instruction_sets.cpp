// SPDX-License-Identifier: MIT
#include "sim/cpu/isa/instruction_sets.h"

namespace symsim {
namespace {

bool is_in(std::string_view list, std::string_view name) {
    while (!list.empty()) {
        const std::string_view word = list.substr(0, list.find(' '));
        list.remove_prefix(std::min(word.size() + 1, list.size()));
        const std::size_t family = word.rfind("cc");  // of each condition
        if (family != word.npos ? name.substr(0, family) == word.substr(0, family) : name == word)
            return true;
    }
    return false;
}

bool is_of_a_386(const ZydisDecodedInstruction& i) {
    switch (i.meta.isa_set) {
        case ZYDIS_ISA_SET_I86:
        case ZYDIS_ISA_SET_I186:
        case ZYDIS_ISA_SET_I286REAL:
        case ZYDIS_ISA_SET_I286PROTECTED:
        case ZYDIS_ISA_SET_I386:
        case ZYDIS_ISA_SET_LAHF:
        case ZYDIS_ISA_SET_PAUSE:
        case ZYDIS_ISA_SET_X87:
            return true;
        default:
            return false;
    }
}

bool adds(const InstructionSet& set, const ZydisDecodedInstruction& i) {
    constexpr unsigned kFirstNop = 0x18;  // 0f 18 to 0f 1f; 0f 0d is another processor's
    if (i.mnemonic == ZYDIS_MNEMONIC_NOP && i.opcode < kFirstNop) return false;
    const std::string_view name = ZydisMnemonicGetString(i.mnemonic);
    return is_in(set.added, name) || is_in(set.added_lockable, name);
}

bool has_registers(const InstructionSet& set, const Decoded& d) {
    for (unsigned n = 0; n < d.instruction.operand_count_visible; ++n) {
        const ZydisDecodedOperand& o = d.operand(n);
        if (o.type != ZYDIS_OPERAND_TYPE_REGISTER || !is_special(o.reg.value) ||
            ZydisRegisterGetClass(o.reg.value) == ZYDIS_REGCLASS_DEBUG)
            continue;
        if (!is_in(set.registers, ZydisRegisterGetString(o.reg.value))) return false;
    }
    return true;
}

}  // namespace

bool has_instruction(Isa isa, const Decoded& d) {
    if (!has_registers(instruction_set(isa), d)) return false;
    if (is_of_a_386(d.instruction)) return true;
    for (const InstructionSet& set : kInstructionSets)
        if (set.isa <= isa && adds(set, d.instruction)) return true;
    return false;
}

}  // namespace symsim
