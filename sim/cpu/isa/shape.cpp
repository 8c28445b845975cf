// SPDX-License-Identifier: MIT
// Derives the Shape of an instruction, by which its handlers are chosen, from Zydis's result.
#include "sim/cpu/isa/shape.h"

#include <algorithm>
#include <array>
#include <string>

namespace symsim {
namespace {

// Whether the operand size of the instruction, and not the size of its first operand, is its size.
bool sized_by_prefix(ZydisMnemonic mnemonic) {
    switch (mnemonic) {
        case ZYDIS_MNEMONIC_PUSH:
        case ZYDIS_MNEMONIC_POP:
        case ZYDIS_MNEMONIC_CALL:
        case ZYDIS_MNEMONIC_JMP:
        case ZYDIS_MNEMONIC_RET:
        case ZYDIS_MNEMONIC_ENTER:
        case ZYDIS_MNEMONIC_LEAVE:
        case ZYDIS_MNEMONIC_LGDT:
        case ZYDIS_MNEMONIC_LIDT:
            return true;
        default:
            return false;
    }
}

char register_kind(ZydisRegister reg) {
    switch (ZydisRegisterGetClass(reg)) {
        case ZYDIS_REGCLASS_GPR8:
        case ZYDIS_REGCLASS_GPR16:
        case ZYDIS_REGCLASS_GPR32:
        case ZYDIS_REGCLASS_X87:
            return 'r';
        case ZYDIS_REGCLASS_SEGMENT:
            return 's';
        case ZYDIS_REGCLASS_CONTROL:
        case ZYDIS_REGCLASS_DEBUG:
        case ZYDIS_REGCLASS_TEST:
            return 'c';
        default:
            return '?';
    }
}

SpecialRegister special_kind(ZydisRegister reg) {
    switch (ZydisRegisterGetClass(reg)) {
        case ZYDIS_REGCLASS_CONTROL:
            return SpecialRegister::control;
        case ZYDIS_REGCLASS_DEBUG:
            return SpecialRegister::debug;
        default:
            return SpecialRegister::test;
    }
}

char kind(const ZydisDecodedOperand& operand) {
    switch (operand.type) {
        case ZYDIS_OPERAND_TYPE_REGISTER:
            return register_kind(operand.reg.value);
        case ZYDIS_OPERAND_TYPE_MEMORY:
            return 'm';
        case ZYDIS_OPERAND_TYPE_IMMEDIATE:
        case ZYDIS_OPERAND_TYPE_POINTER:
            return 'i';
        default:
            return '?';
    }
}

// jcc is 70-7f or 0f 80-8f, setcc is 0f 90-9f, cmovcc is 0f 40-4f. The low four bits of the opcode
// are the condition.
std::uint8_t condition_of(const ZydisDecodedInstruction& i) {
    const unsigned row = i.opcode >> 4;
    const bool second = i.opcode_map == ZYDIS_OPCODE_MAP_0F;
    const bool first = i.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT;
    if ((first && row == 7) || (second && (row == 4 || row == 8 || row == 9))) return i.opcode & 15;
    return kNoCondition;
}

}  // namespace

bool is_special(ZydisRegister reg) {
    return register_kind(reg) == 'c';
}

Form form_of(const Decoded& d) {
    if (is_string(d.instruction.mnemonic) || d.instruction.mnemonic == ZYDIS_MNEMONIC_XLAT)
        return Form::none;
    std::string kinds;
    for (unsigned n = 0; n < d.instruction.operand_count_visible; ++n) kinds += kind(d.operand(n));
    if (kinds.find('?') != std::string::npos) return Form::other;
    kinds.resize(std::min<std::size_t>(kinds.size(), 2));
    if (kinds == "ii") return Form::i;  // enter
    // In the order of Form; its last one, other, is for those that are not here.
    constexpr std::array kForms = {"",   "r", "m",  "i",  "rr", "rm", "mr", "ri", "mi",
                                   "ir", "s", "sr", "sm", "rs", "ms", "rc", "cr"};
    static_assert(kForms.size() == static_cast<std::size_t>(Form::other));
    return static_cast<Form>(std::find(kForms.begin(), kForms.end(), kinds) - kForms.begin());
}

Shape shape_of(const Decoded& d) {
    const ZydisDecodedInstruction& i = d.instruction;
    Shape shape;
    shape.mnemonic = i.mnemonic;
    // f3 90 (nop with a repeat prefix) is pause on later processors, and nop on this one.
    if (i.mnemonic == ZYDIS_MNEMONIC_PAUSE) shape.mnemonic = ZYDIS_MNEMONIC_NOP;
    shape.form = form_of(d);
    for (unsigned n = 0; n < i.operand_count_visible; ++n)
        if (d.operand(n).type == ZYDIS_OPERAND_TYPE_REGISTER && is_special(d.operand(n).reg.value))
            shape.special = special_kind(d.operand(n).reg.value);
    shape.far = i.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
    if (i.operand_count > 0 && !sized_by_prefix(i.mnemonic))
        shape.size = d.operand(0).size / 8u;
    else
        shape.size = i.operand_width / 8u;
    if (i.operand_count > 1) shape.source_size = d.operand(1).size / 8u;
    if (i.operand_count_visible > 1)
        shape.immediate =
            d.operand(i.operand_count_visible - 1u).type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
    if (is_string(i.mnemonic)) {
        if (d.has(ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE)) shape.repeat = Repeat::repe;
        if (d.has(ZYDIS_ATTRIB_HAS_REPNE)) shape.repeat = Repeat::repne;
    }
    shape.condition = condition_of(i);
    return shape;
}

}  // namespace symsim
