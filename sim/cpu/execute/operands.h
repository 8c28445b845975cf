// SPDX-License-Identifier: MIT
// Shared by the handlers: effective addresses, the stack pointer, and operands in a register or in
// memory.
//
// A handler first makes its loads, then its stores, and only then changes registers and flags. So a
// handler that gives up at an access leaves nothing half done.
#pragma once

#include "sim/cpu/core/fast_path.h"
#include "sim/cpu/core/processor.h"
#include "sim/cpu/isa/handlers.h"

namespace symsim {

inline Address wide_address(const Registers& regs, const Op& op) {
    // An absent register is masked out, which is cheaper for the host than a mispredicted branch.
    const auto part = [&regs](std::uint8_t reg, std::int8_t mask) {
        return regs[reg] & static_cast<std::uint32_t>(std::int32_t{mask});
    };
    return op.displacement + part(op.base, op.base_mask) +
           (part(op.index, op.index_mask) << op.scale_shift);
}
inline Address effective_address(const Registers& regs, const Op& op) {
    const Address address = wide_address(regs, op);
    return op.address_size == 2 ? address & 0xffff : address;
}
// On the fast path there are no 16-bit addresses.
template <class Cpu>
Address effective_address(const Cpu& cpu, const Op& op) {
    if constexpr (Cpu::k32BitAddressesOnly) return wide_address(cpu.regs(), op);
    return effective_address(cpu.regs(), op);
}

// The address `bytes` bytes after `address`, for an operand that is accessed in several parts.
inline Address address_after(const Op& op, Address address, std::uint32_t bytes) {
    return op.address_size == 2 ? (address + bytes) & 0xffff : address + bytes;
}

// The stack pointer is esp, or sp in a 16-bit stack segment.
template <class Cpu>
Address stack_offset(const Cpu& cpu, Address pointer) {
    return pointer & cpu.system().stack_mask;
}
template <class Cpu>
Address stack_top(Cpu& cpu) {
    return stack_offset(cpu, cpu.regs()[esp]);
}
template <class Cpu>
Address stack_below(Cpu& cpu, std::uint32_t bytes) {
    return stack_offset(cpu, cpu.regs()[esp] - bytes);
}
inline void set_stack(Registers& regs, std::uint32_t mask, Address pointer) {
    regs[esp] = (regs[esp] & ~mask) | (pointer & mask);
}
template <class Cpu>
void set_stack(Cpu& cpu, Address pointer) {
    set_stack(cpu.regs(), cpu.system().stack_mask, pointer);
}

// The registers of string instructions and loops: the address size selects cx or ecx, si or esi, di
// or edi.
inline std::uint32_t index_register(const Registers& regs, const Op& op, Reg reg) {
    return op.address_size == 2 ? regs.get<2>(reg) : regs[reg];
}
inline void set_index_register(Registers& regs, const Op& op, Reg reg, std::uint32_t value) {
    if (op.address_size == 2)
        regs.set<2>(reg, value);
    else
        regs[reg] = value;
}
template <unsigned Size>
void step_index(Processor& cpu, const Op& op, Reg reg) {
    const std::uint32_t by = cpu.flags().df() ? 0u - Size : Size;
    set_index_register(cpu.regs(), op, reg, index_register(cpu.regs(), op, reg) + by);
}

template <unsigned Size>
constexpr std::uint32_t kMask = Size == 4 ? 0xffff'ffffu : (1u << (8 * Size % 32)) - 1;

template <unsigned Size>
constexpr std::uint32_t sign_extend(std::uint32_t value) {
    if constexpr (Size == 1) return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
    if constexpr (Size == 2) return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
    return value;
}

template <unsigned Size>
constexpr bool sign(std::uint32_t value) {
    return value >> (8 * Size - 1) & 1;
}

// Whether the two highest bits of a result differ. If so, its last shift right by one changed the
// sign, which sets OF.
template <unsigned Size>
constexpr bool top_bits_differ(std::uint32_t value) {
    return sign<Size>(value ^ value << 1);
}

// Reads the source operand: register `reg`, or memory.
template <unsigned Size, bool Memory, class Cpu>
bool load_operand(Cpu& cpu, const Op& op, unsigned reg, std::uint32_t& value) {
    if constexpr (Memory) return cpu.template read<Size>(op, effective_address(cpu, op), value);
    value = cpu.regs().template get<Size>(reg);
    return true;
}

// Reads the first operand, which the instruction will also write.
template <unsigned Size, bool Memory, class Cpu>
bool load_destination(Cpu& cpu, const Op& op, std::uint32_t& value) {
    if constexpr (Memory)
        return cpu.template read_for_write<Size>(op, effective_address(cpu, op), value);
    value = cpu.regs().template get<Size>(op.dst);
    return true;
}

// Writes the first operand. Afterwards a handler may change only registers and flags.
template <unsigned Size, bool Memory, class Cpu>
bool store_operand(Cpu& cpu, const Op& op, std::uint32_t value) {
    if constexpr (Memory)
        return cpu.template write<Size>(op, effective_address(cpu, op), value & kMask<Size>);
    cpu.regs().template set<Size>(op.dst, value);
    return true;
}

}  // namespace symsim
