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

// lds, les, lfs, lgs, lss: the operand is an offset followed by a selector. `extra` is the segment
// register.
template <unsigned Size>
bool load_pointer(Processor& cpu, const Op& op) {
    const Address at = effective_address(cpu.regs(), op);
    std::uint32_t offset, selector;
    if (!cpu.non_speculative() || !cpu.read<Size>(op, at, offset) ||
        !cpu.read<2>(op, address_after(op, at, Size), selector) ||
        !load(cpu, op.extra, selector,
              op.extra == fs || op.extra == gs ? kProtectedPointerFsGsClocks
                                               : kProtectedPointerClocks))
        return false;
    cpu.regs().set<Size>(op.dst, offset);
    return true;
}

// Reads the descriptor of a selector. `visible`: the descriptor is within its table, and accessible
// at CPL and the selector's RPL. False: an access cannot be made now, or raised an exception.
bool look_at(Processor& cpu, std::uint16_t selector, Descriptor& d, bool& visible) {
    const System& system = cpu.system();
    const bool local = selector & 4;
    const Segment& ldt = system.ldtr;
    const std::uint32_t offset = selector & ~7u;
    visible = !is_null(selector) && (!local || ldt.present()) &&
              offset + 7 <= (local ? ldt.limit : system.gdtr.limit);
    if (!visible) return true;
    const Address at = (local ? ldt.base : system.gdtr.base) + offset;
    if (!cpu.read_system(at, 4, d.low) || !cpu.read_system(at + 4, 4, d.high)) return false;
    const bool conforming = d.is_code() && d.is_conforming();
    visible = conforming || d.dpl() >= std::max(system.cpl, rpl(selector));
    return true;
}

bool has_limit(const Descriptor& d) {
    return !d.is_system() || d.is_tss() || d.type() == kLdt;
}
bool has_rights(const Descriptor& d) {
    return has_limit(d) || d.type() == kCallGate16 || d.type() == kTaskGate ||
           d.type() == kCallGate32;
}
bool is_readable(const Descriptor& d) {
    return !d.is_system() && (!d.is_code() || d.is_readable_code());
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
    if constexpr (Q == SelectorCheck::verr) return set_zf(cpu, visible && is_readable(d));
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
    const bool memory = shape.form == Form::rm || shape.form == Form::m;
    return by_word_size(shape.size, [&](auto size) -> Routine {
        return memory ? ask<Q, size, true> : ask<Q, size, false>;
    });
}

Routine find_mov(const Shape& shape) {
    switch (shape.form) {
        case Form::sr:
            return mov_to_segment<false>;
        case Form::sm:
            return mov_to_segment<true>;
        case Form::ms:
            return mov_from_segment_to_memory;
        case Form::rs:
            return by_word_size(shape.size,
                                [](auto size) -> Routine { return mov_from_segment<size>; });
        default:
            return nullptr;
    }
}

}  // namespace

Routine find_segment(const Shape& shape) {
    switch (shape.mnemonic) {
        case ZYDIS_MNEMONIC_MOV:
            return find_mov(shape);
        case ZYDIS_MNEMONIC_PUSH:
            if (shape.form != Form::s) return nullptr;
            return by_word_size(shape.size,
                                [](auto size) -> Routine { return push_segment<size>; });
        case ZYDIS_MNEMONIC_POP:
            if (shape.form != Form::s) return nullptr;
            return by_word_size(shape.size, [](auto size) -> Routine { return pop_segment<size>; });
        case ZYDIS_MNEMONIC_LDS:
        case ZYDIS_MNEMONIC_LES:
        case ZYDIS_MNEMONIC_LFS:
        case ZYDIS_MNEMONIC_LGS:
        case ZYDIS_MNEMONIC_LSS:
            return by_word_size(shape.size,
                                [](auto size) -> Routine { return load_pointer<size>; });
        case ZYDIS_MNEMONIC_LAR:
            return find_question<SelectorCheck::lar>(shape);
        case ZYDIS_MNEMONIC_LSL:
            return find_question<SelectorCheck::lsl>(shape);
        case ZYDIS_MNEMONIC_VERR:
            return find_question<SelectorCheck::verr>(shape);
        case ZYDIS_MNEMONIC_VERW:
            return find_question<SelectorCheck::verw>(shape);
        case ZYDIS_MNEMONIC_ARPL:
            return shape.form == Form::mr ? arpl<true> : arpl<false>;
        default:
            return nullptr;
    }
}

}  // namespace symsim
