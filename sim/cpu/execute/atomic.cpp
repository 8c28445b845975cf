// SPDX-License-Identifier: MIT
// Instructions that the 486 adds: xadd cmpxchg bswap; and the 586: cmpxchg8b.
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

// Both halves are checked before the first is locked: a fault must leave nothing locked.
bool cmpxchg8b(Processor& cpu, const Op& op) {
    const Address low_at = effective_address(cpu.regs(), op);
    const Address high_at = address_after(op, low_at, 4);
    std::uint32_t low, high;
    if (!cpu.probe_write<4>(op.segment, low_at) || !cpu.probe_write<4>(op.segment, high_at) ||
        !cpu.read_for_write<4>(op, low_at, low) || !cpu.read_for_write<4>(op, high_at, high))
        return false;
    Registers& regs = cpu.regs();
    const bool equal = low == regs[eax] && high == regs[edx];
    if (!cpu.write<4>(op, low_at, equal ? regs[ebx] : low) ||
        !cpu.write<4>(op, high_at, equal ? regs[ecx] : high))
        return false;
    if (!equal) {
        regs[eax] = low;
        regs[edx] = high;
    }
    cpu.flags().set(Flags::kZero, equal ? +Flags::kZero : 0u);
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
        case ZYDIS_MNEMONIC_CMPXCHG8B:
            return cmpxchg8b;
        case ZYDIS_MNEMONIC_BSWAP:
            return bswap;
        default:
            return nullptr;
    }
}

}  // namespace symsim
