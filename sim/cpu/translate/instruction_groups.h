// SPDX-License-Identifier: MIT
// The groups of instructions that are translated.
#pragma once

#include <Zydis/Zydis.h>

namespace symsim {

inline bool has_two_operands(ZydisMnemonic mnemonic) {
    switch (mnemonic) {
        case ZYDIS_MNEMONIC_ADD:
        case ZYDIS_MNEMONIC_SUB:
        case ZYDIS_MNEMONIC_CMP:
        case ZYDIS_MNEMONIC_AND:
        case ZYDIS_MNEMONIC_TEST:
        case ZYDIS_MNEMONIC_OR:
        case ZYDIS_MNEMONIC_XOR:
            return true;
        default:
            return false;
    }
}
inline bool writes_result(ZydisMnemonic mnemonic) {
    return mnemonic != ZYDIS_MNEMONIC_CMP && mnemonic != ZYDIS_MNEMONIC_TEST;
}
inline bool is_shift(ZydisMnemonic mnemonic) {
    return mnemonic == ZYDIS_MNEMONIC_SHL || mnemonic == ZYDIS_MNEMONIC_SHR ||
           mnemonic == ZYDIS_MNEMONIC_SAR;
}
inline bool is_extension(ZydisMnemonic mnemonic) {
    return mnemonic == ZYDIS_MNEMONIC_MOVZX || mnemonic == ZYDIS_MNEMONIC_MOVSX;
}

}  // namespace symsim
