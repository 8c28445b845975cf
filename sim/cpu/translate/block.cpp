// SPDX-License-Identifier: MIT
#include "sim/cpu/translate/block.h"

#include "sim/cpu/translate/instruction_groups.h"

namespace symsim {

bool is_direct_jump(const Shape& shape) {
    return shape.form == Form::i && !shape.far &&
           (shape.condition != kNoCondition || shape.mnemonic == ZYDIS_MNEMONIC_JMP);
}

bool loads(const Shape& shape) {
    return shape.mnemonic == ZYDIS_MNEMONIC_POP ||
           (has_memory(shape.form) && shape.mnemonic != ZYDIS_MNEMONIC_LEA);
}

bool sets_all_flags(const Shape& shape) {
    return has_two_operands(shape.mnemonic) || is_shift(shape.mnemonic) ||
           shape.mnemonic == ZYDIS_MNEMONIC_NEG;
}

bool translates(const Shape& shape, const Op& op) {
    if (op.address_size != 4 || op.locked || shape.repeat != Repeat::none) return false;
    const Form form = shape.form;
    const bool from_memory = form == Form::rm;
    const bool byte_or_dword = shape.size == 1 || shape.size == 4;
    if (is_direct_jump(shape)) return op.relative && op.in_loop != InLoop::repeats;
    if (has_two_operands(shape.mnemonic)) {
        const bool reads_memory = form == Form::mr || form == Form::mi;
        return byte_or_dword && (form == Form::rr || form == Form::ri || from_memory ||
                                 (reads_memory && !writes_result(shape.mnemonic)));
    }
    if (is_shift(shape.mnemonic))
        return shape.size == 4 && shape.immediate && !has_memory(form) && op.immediate & 31;
    if (is_extension(shape.mnemonic)) return shape.size == 4;
    switch (shape.mnemonic) {
        case ZYDIS_MNEMONIC_MOV:
            return byte_or_dword && (form == Form::rr || form == Form::ri || from_memory);
        case ZYDIS_MNEMONIC_LEA:
            return shape.size == 4;
        case ZYDIS_MNEMONIC_INC:
        case ZYDIS_MNEMONIC_DEC:
        case ZYDIS_MNEMONIC_NEG:
        case ZYDIS_MNEMONIC_NOT:
        case ZYDIS_MNEMONIC_POP:
            return shape.size == 4 && form == Form::r;
        case ZYDIS_MNEMONIC_CDQ:
            return true;
        default:
            return false;
    }
}

}  // namespace symsim
