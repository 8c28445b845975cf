// SPDX-License-Identifier: MIT
// Instructions that the 486 adds: xadd cmpxchg bswap. On a 386 they are undefined opcodes.
#include "sim/cpu/execute/operands.h"

namespace symsim {
namespace {

template <unsigned Size, bool Memory>
bool xadd(Processor& cpu, const Op& op) {
    std::uint32_t value;
    if (!load_destination<Size, Memory>(cpu, op, value)) return false;
    const std::uint32_t source = cpu.regs().get<Size>(op.src);
    const std::uint32_t sum = value + source;
    if constexpr (Memory) {
        if (!store_operand<Size, true>(cpu, op, sum)) return false;
        cpu.regs().set<Size>(op.src, value);
    } else {
        cpu.regs().set<Size>(op.src, value);
        cpu.regs().set<Size>(op.dst, sum);  // last: dst may be src
    }
    cpu.flags().after_add<Size>(value, source, sum);
    return true;
}

// The destination is always written (486 PRM, CMPXCHG): if unequal, with its own value.
template <unsigned Size, bool Memory>
bool cmpxchg(Processor& cpu, const Op& op) {
    std::uint32_t value;
    if (!load_destination<Size, Memory>(cpu, op, value)) return false;
    const std::uint32_t wanted = cpu.regs().get<Size>(eax);
    const bool equal = value == wanted;
    const std::uint32_t written = equal ? cpu.regs().get<Size>(op.src) : value;
    if (!store_operand<Size, Memory>(cpu, op, written)) return false;
    if (!equal) cpu.regs().set<Size>(eax, value);
    cpu.flags().after_subtract<Size>(wanted, value, wanted - value);
    return true;
}

bool bswap(Processor& cpu, const Op& op) {
    cpu.regs()[op.dst] = __builtin_bswap32(cpu.regs()[op.dst]);
    return true;
}

}  // namespace

Routine find_atomic(const Shape& shape) {
    switch (shape.mnemonic) {
        case ZYDIS_MNEMONIC_XADD:
            return by_operand(shape,
                              [](auto size, auto memory) -> Routine { return xadd<size, memory>; });
        case ZYDIS_MNEMONIC_CMPXCHG:
            return by_operand(
                shape, [](auto size, auto memory) -> Routine { return cmpxchg<size, memory>; });
        case ZYDIS_MNEMONIC_BSWAP:
            return bswap;
        default:
            return nullptr;
    }
}

}  // namespace symsim
