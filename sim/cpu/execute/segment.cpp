// SPDX-License-Identifier: MIT
// Instructions on segment registers: mov push pop lds les lfs lgs lss; and checks of selectors: lar
// lsl verr verw arpl (PRM 11.3). In real and virtual-8086 mode the checks are undefined opcodes.
#include <algorithm>

#include "sim/cpu/delivery/frame.h"
#include "sim/cpu/execute/operands.h"
#include "sim/cpu/isa/clocks.h"
#include "sim/cpu/mmu/descriptors.h"

namespace symsim {
namespace {

bool load(Processor& cpu, unsigned which, std::uint32_t selector, unsigned protected_clocks) {
    if (!load_segment(cpu, static_cast<Seg>(which), static_cast<std::uint16_t>(selector)))
        return false;
    if (!cpu.system().real_segments()) cpu.add_clocks(protected_clocks);
    return true;
}

// After a load of ss, no interrupt or single-step trap comes before the next instruction is
// complete: between the loads of ss and esp the stack is invalid (PRM 9.2.4). lss loads both and
// needs no such inhibition.
bool load_alone(Processor& cpu, unsigned which, std::uint32_t selector, unsigned clocks) {
    if (!load(cpu, which, selector, clocks)) return false;
    if (which == ss) cpu.shadow_all();
    return true;
}

template <bool Memory>
bool mov_to_segment(Processor& cpu, const Op& op) {
    std::uint32_t value;
    return cpu.non_speculative() && load_operand<2, Memory>(cpu, op, op.src, value) &&
           load_alone(cpu, op.dst, value, Memory ? kProtectedMovMemoryClocks : kProtectedMovClocks);
}

bool mov_from_segment_to_memory(Processor& cpu, const Op& op) {
    return cpu.write<2>(op, effective_address(cpu.regs(), op),
                        cpu.system().segments[op.src].selector);
}
// A 32-bit register gets the selector zero-extended.
template <unsigned Size>
bool mov_from_segment(Processor& cpu, const Op& op) {
    cpu.regs().set<Size>(op.dst, cpu.system().segments[op.src].selector);
    return true;
}

// The 386 writes two bytes and leaves the other two of a 32-bit push unchanged (test386.asm, tried
// on a 386SX and a 486DX; SDM, PUSH).
template <unsigned Size>
bool push_segment(Processor& cpu, const Op& op) {
    const std::uint32_t top = stack_below(cpu, Size);
    if (!cpu.write_at<2>(op, ss, top, cpu.system().segments[op.dst].selector)) return false;
    set_stack(cpu, top);
    return true;
}

template <unsigned Size>
bool pop_segment(Processor& cpu, const Op& op) {
    if (!cpu.non_speculative()) return false;
    Frame frame(cpu, Size);
    std::uint32_t value;
    if (!frame.pop(value) || !load_alone(cpu, op.dst, value, kProtectedPopClocks)) return false;
    cpu.regs()[esp] = frame.pointer();
    return true;
}

// lds, les, lfs, lgs, lss: the operand is an offset followed by a selector.
template <Seg Register, unsigned Size>
bool load_pointer(Processor& cpu, const Op& op) {
    const Address at = effective_address(cpu.regs(), op);
    std::uint32_t offset, selector;
    if (!cpu.non_speculative() || !cpu.read<Size>(op, at, offset) ||
        !cpu.read<2>(op, address_after(op, at, Size), selector) ||
        !load(cpu, Register, selector,
              Register == fs || Register == gs ? kProtectedPointerFsGsClocks
                                               : kProtectedPointerClocks))
        return false;
    cpu.regs().set<Size>(op.dst, offset);
    return true;
}

// Reads the descriptor of a selector. `visible`: the descriptor is within its table, and accessible
// at CPL and the selector's RPL. False: an access cannot be made now, or raised an exception.
bool look_at(Processor& cpu, std::uint16_t selector, Descriptor& d, bool& visible) {
    const System& system = cpu.system();
    const auto at = descriptor_address(system, system.ldtr, selector);
    visible = !is_null(selector) && at;
    if (!visible) return true;
    if (!read_descriptor_at(cpu, *at, d)) return false;
    visible = d.is_conforming() || d.dpl() >= std::max(system.cpl, rpl(selector));
    return true;
}

bool has_limit(const Descriptor& d) {
    return !d.is_system() || d.is_tss() || d.type() == kLdt;
}
bool has_rights(const Descriptor& d) {
    return has_limit(d) || d.type() == kCallGate16 || d.type() == kTaskGate ||
           d.type() == kCallGate32;
}
bool set_zf(Processor& cpu, bool on) {
    cpu.flags().set(Flags::kZero, on ? Flags::kZero : 0u);
    return true;
}

enum class SelectorCheck { lar, lsl, verr, verw };

template <SelectorCheck Q, unsigned Size, bool Memory>
bool ask(Processor& cpu, const Op& op) {
    if (!cpu.non_speculative()) return false;
    if (cpu.system().real_segments()) return cpu.raise(Fault::undefined_opcode);
    constexpr bool kVerifies = Q == SelectorCheck::verr || Q == SelectorCheck::verw;
    std::uint32_t selector;
    if (!load_operand<2, Memory>(cpu, op, kVerifies ? op.dst : op.src, selector)) return false;
    Descriptor d;
    bool visible;
    if (!look_at(cpu, static_cast<std::uint16_t>(selector), d, visible)) return false;
    if constexpr (Q == SelectorCheck::verr) return set_zf(cpu, visible && d.is_readable());
    if constexpr (Q == SelectorCheck::verw) return set_zf(cpu, visible && d.is_writable_data());
    if (!visible || !(Q == SelectorCheck::lar ? has_rights(d) : has_limit(d)))
        return set_zf(cpu, false);
    if (Q == SelectorCheck::lsl && d.counts_pages()) cpu.add_clocks(kPageLimitClocks);
    constexpr std::uint32_t kRights = 0x00ff'ff00;
    cpu.regs().set<Size>(op.dst, Q == SelectorCheck::lar ? d.high & kRights : d.limit());
    return set_zf(cpu, true);
}

template <bool Memory>
bool arpl(Processor& cpu, const Op& op) {
    if (!cpu.non_speculative()) return false;
    if (cpu.system().real_segments()) return cpu.raise(Fault::undefined_opcode);
    const Address at = effective_address(cpu.regs(), op);
    std::uint32_t value = cpu.regs().get<2>(op.dst);
    // The segment must be writable only if something is written: ARPL raises #GP "if the result is
    // in" a segment that is not writable (PRM).
    if (Memory && !cpu.read<2>(op, at, value)) return false;
    const std::uint32_t wanted = cpu.regs().get<2>(op.src) & 3;
    if ((value & 3) >= wanted) return set_zf(cpu, false);
    if (!store_operand<2, Memory>(cpu, op, (value & ~3u) | wanted)) return false;
    return set_zf(cpu, true);
}

template <SelectorCheck Q>
Routine find_question(const Shape& shape) {
    return by_word_operand(shape,
                           [](auto size, auto memory) -> Routine { return ask<Q, size, memory>; });
}

Routine find_mov(const Shape& shape) {
    if (shape.form == Form::sr) return mov_to_segment<false>;
    if (shape.form == Form::sm) return mov_to_segment<true>;
    if (shape.form == Form::ms) return mov_from_segment_to_memory;
    if (shape.form != Form::rs) return nullptr;
    return shape.size == 2 ? mov_from_segment<2> : mov_from_segment<4>;
}

template <Handler Word, Handler Dword>
Routine of_segment(const Shape& shape) {
    if (shape.form != Form::s) return nullptr;
    return shape.size == 2 ? Word : Dword;
}

}  // namespace

Routine find_segment(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_MOV, find_mov},
        {ZYDIS_MNEMONIC_PUSH, of_segment<push_segment<2>, push_segment<4>>},
        {ZYDIS_MNEMONIC_POP, of_segment<pop_segment<2>, pop_segment<4>>},
        {ZYDIS_MNEMONIC_LDS, load_pointer<ds, 2>, load_pointer<ds, 4>},
        {ZYDIS_MNEMONIC_LES, load_pointer<es, 2>, load_pointer<es, 4>},
        {ZYDIS_MNEMONIC_LFS, load_pointer<fs, 2>, load_pointer<fs, 4>},
        {ZYDIS_MNEMONIC_LGS, load_pointer<gs, 2>, load_pointer<gs, 4>},
        {ZYDIS_MNEMONIC_LSS, load_pointer<ss, 2>, load_pointer<ss, 4>},
        {ZYDIS_MNEMONIC_LAR, find_question<SelectorCheck::lar>},
        {ZYDIS_MNEMONIC_LSL, find_question<SelectorCheck::lsl>},
        {ZYDIS_MNEMONIC_VERR, find_question<SelectorCheck::verr>},
        {ZYDIS_MNEMONIC_VERW, find_question<SelectorCheck::verw>},
        {ZYDIS_MNEMONIC_ARPL, by_place<arpl<true>, arpl<false>>},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
