// SPDX-License-Identifier: MIT
// The guest's flags after an instruction, as sim/cpu/state/flags.h keeps them: the result, and the
// vector of the carries out of each bit. `eax` and `ecx` are the operands, `r8d` is the result.
#include "sim/cpu/translate/emitter.h"

namespace symsim {
namespace {

constexpr std::uint32_t kKept = 0xc000'0008;  // carries that are kept: of bits 31, 30 and 3

}  // namespace

// A bit of a ^ b ^ result is the carry into it, so the carry out of the bit below. The host's carry
// flag, which must be that of the operation, is the carry out of bit 31.
void Emitter::flags_of_carries(unsigned size) {
    if (size == 4) {
        rcr(esi, 1);
        and_(esi, kKept);
        mov(at(cpu_.carries), esi);
        mov(at(cpu_.result), r8d);
        return;
    }
    // Of bytes the carries into bits 8, 7 and 4.
    mov(r10d, esi);
    shl(r10d, 23);
    and_(r10d, 0xc000'0000);
    shr(esi, 1);
    and_(esi, 8);
    or_(esi, r10d);
    mov(at(cpu_.carries), esi);
    movsx(r10d, r8b);
    mov(at(cpu_.result), r10d);
}

void Emitter::flags_of_sum() {
    mov(esi, eax);
    xor_(esi, ecx);
    xor_(esi, r8d);
    cmp(r8d, eax);  // carry: the sum is less than an operand
    flags_of_carries(operand_bytes_);
}

void Emitter::flags_of_difference() {
    mov(esi, eax);
    xor_(esi, ecx);
    xor_(esi, r8d);
    cmp(eax, ecx);
    flags_of_carries(operand_bytes_);
}

void Emitter::flags_of_logic(unsigned size) {
    mov(at(cpu_.carries), 0);
    if (size == 4) {
        mov(at(cpu_.result), r8d);
    } else {
        movsx(r10d, r8b);
        mov(at(cpu_.result), r10d);
    }
}

}  // namespace symsim
