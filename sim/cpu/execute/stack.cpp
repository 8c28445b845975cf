// SPDX-License-Identifier: MIT
// Stack instructions: push pop pusha popa pushf popf enter leave.
#include <array>

#include "sim/cpu/execute/operands.h"

namespace symsim {
namespace {

template <unsigned Size, class Cpu>
bool push_value(Cpu& cpu, const Op& op, std::uint32_t value) {
    const Address top = stack_below(cpu, Size);
    if (!cpu.template write_at<Size>(op, ss, top, value & kMask<Size>)) return false;
    set_stack(cpu, top);
    return true;
}

// push esp pushes the value of esp before the push, as the 286 and all later processors do.
template <unsigned Size>
struct PushRegister {
    template <class Cpu>
    static bool execute(Cpu& cpu, const Op& op) {
        return push_value<Size>(cpu, op, cpu.regs()[op.dst]);
    }
};
template <unsigned Size>
struct PushImmediate {
    template <class Cpu>
    static bool execute(Cpu& cpu, const Op& op) {
        return push_value<Size>(cpu, op, op.immediate);
    }
};
template <unsigned Size>
struct PushMemory {
    template <class Cpu>
    static bool execute(Cpu& cpu, const Op& op) {
        std::uint32_t value;
        return cpu.template read<Size>(op, effective_address(cpu, op), value) &&
               push_value<Size>(cpu, op, value);
    }
};

template <unsigned Size>
struct PopRegister {
    template <class Cpu>
    static bool execute(Cpu& cpu, const Op& op) {
        std::uint32_t value;
        const Address top = stack_top(cpu);
        if (!cpu.template read_at<Size>(op, ss, top, value)) return false;
        set_stack(cpu, top + Size);
        cpu.regs().template set<Size>(op.dst, value);
        return true;
    }
};
// If the destination is addressed with esp, its address is computed with esp after the pop (PRM,
// POP).
template <unsigned Size>
bool pop_memory(Processor& cpu, const Op& op) {
    std::uint32_t value;
    const Address top = stack_top(cpu);
    if (!cpu.read_at<Size>(op, ss, top, value)) return false;
    Registers popped = cpu.regs();
    set_stack(popped, cpu.system().stack_mask, top + Size);
    if (!cpu.write<Size>(op, effective_address(popped, op), value)) return false;
    cpu.regs()[esp] = popped[esp];
    return true;
}

template <unsigned Size>
bool pusha(Processor& cpu, const Op& op) {
    for (unsigned reg = eax; reg <= edi; ++reg) {
        const Address place = stack_below(cpu, Size * (reg + 1));
        if (!cpu.write_at<Size>(op, ss, place, cpu.regs().get<Size>(reg))) return false;
    }
    set_stack(cpu, stack_below(cpu, Size * 8));
    return true;
}

// The value in the slot of esp is discarded (PRM, POPA), but for its upper half: the 386 loads all
// of esp from the slot, and then sets the part that the stack uses (test386.asm, tried on a 386SX).
template <unsigned Size>
bool popa(Processor& cpu, const Op& op) {
    const Address top = stack_top(cpu);
    std::array<std::uint32_t, 8> values;
    for (unsigned place = 0; place < 8; ++place) {
        const Address from = stack_offset(cpu, top + Size * place);
        if (!cpu.read_at<Size>(op, ss, from, values[7 - place])) return false;
    }
    for (unsigned reg = eax; reg <= edi; ++reg) cpu.regs().set<Size>(reg, values[reg]);
    set_stack(cpu, top + Size * 8);
    return true;
}

// In virtual-8086 mode pushf and popf are sensitive to IOPL: the monitor can emulate them (PRM
// 15.4).
bool flags_allowed(Processor& cpu) {
    return !cpu.system().virtual_8086 || cpu.flags().iopl() == 3 ||
           cpu.raise(Fault::general_protection);
}
// VM and RF are pushed as 0.
template <unsigned Size>
bool pushf(Processor& cpu, const Op& op) {
    constexpr std::uint32_t kUnseen = Flags::kVirtual | Flags::kResume;
    return flags_allowed(cpu) && push_value<Size>(cpu, op, cpu.flags().value() & ~kUnseen);
}
template <unsigned Size>
bool popf(Processor& cpu, const Op& op) {
    std::uint32_t value;
    const Address top = stack_top(cpu);
    if (!flags_allowed(cpu) || !cpu.read_at<Size>(op, ss, top, value)) return false;
    set_stack(cpu, top + Size);
    cpu.write_flags(value, Size);
    return true;
}

// enter size, level: pushes ebp, the frame pointers of the enclosing procedures (level - 1) and the
// new frame pointer, and reserves `size` bytes. The frame pointers are read from the old frame,
// which may overlap the new one. The instruction's own pushes are stored only after these reads, so
// merge() takes their bytes from `pushed`. But each push is checked before the next read, so that
// the first access that faults is the one of the manual's order (PRM, ENTER). Before the stores, a
// write at the final stack pointer is checked (SDM, ENTER), of the operand's size as in Bochs.
template <unsigned Size>
bool enter(Processor& cpu, const Op& op) {
    Registers& regs = cpu.regs();
    const unsigned level = op.extra % 32;
    const Address top = stack_top(cpu);
    // esp after the first push, of which a 16-bit stack changes only sp.
    const std::uint32_t mask = cpu.system().stack_mask;
    const std::uint32_t frame = (regs[esp] & ~mask) | stack_below(cpu, Size);
    std::array<std::uint32_t, 33> pushed;
    unsigned pushes = 0;
    const auto push = [&](std::uint32_t value) {
        pushed[pushes++] = value;
        return cpu.probe_write<Size>(ss, stack_below(cpu, Size * pushes));
    };
    if (!push(regs.get<Size>(ebp))) return false;
    const auto merge = [&](Address address, std::uint32_t value) {
        for (unsigned byte = 0; byte < Size; ++byte) {
            // The byte's distance below the old stack top; 0 is the byte just below the top.
            const std::uint32_t depth = stack_offset(cpu, top - (address + byte) - 1);
            if (depth >= Size * pushes) continue;
            const std::uint32_t from = pushed[depth / Size] >> 8 * (Size - 1 - depth % Size);
            value = (value & ~(0xffu << 8 * byte)) | (from & 0xff) << 8 * byte;
        }
        return value;
    };
    for (unsigned i = 1; i < level; ++i) {
        const Address address = stack_offset(cpu, regs[ebp] - Size * i);
        std::uint32_t value;
        if (!cpu.read_at<Size>(op, ss, address, value)) return false;
        if (!push(merge(address, value))) return false;
    }
    if (level > 0 && !push(frame & kMask<Size>)) return false;
    const Address last = stack_below(cpu, Size * pushes + op.immediate);
    if (!cpu.probe_write<Size>(ss, last)) return false;
    for (unsigned i = 0; i < pushes; ++i) {
        const Address place = stack_below(cpu, Size * (i + 1));
        if (!cpu.write_at<Size>(op, ss, place, pushed[i])) return false;
    }
    regs.set<Size>(ebp, frame);
    set_stack(cpu, last);
    return true;
}

template <unsigned Size>
bool leave(Processor& cpu, const Op& op) {
    const Address frame = stack_offset(cpu, cpu.regs()[ebp]);
    std::uint32_t value;
    if (!cpu.read_at<Size>(op, ss, frame, value)) return false;
    set_stack(cpu, frame + Size);
    cpu.regs().set<Size>(ebp, value);
    return true;
}

Routine find_push(const Shape& shape) {
    return by_word_size(shape.size, [&](auto size) -> Routine {
        if (shape.form == Form::r) return fast_store<PushRegister<size>>();
        if (shape.form == Form::i) return fast_store<PushImmediate<size>>();
        return fast_store<PushMemory<size>>();
    });
}
Routine find_pop(const Shape& shape) {
    return by_word_size(shape.size, [&](auto size) -> Routine {
        return shape.form == Form::m ? pop_memory<size> : fast<PopRegister<size>>();
    });
}

}  // namespace

Routine find_stack(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_PUSH, find_push},
        {ZYDIS_MNEMONIC_POP, find_pop},
        {ZYDIS_MNEMONIC_PUSHA, pusha<2>},
        {ZYDIS_MNEMONIC_PUSHAD, pusha<4>},
        {ZYDIS_MNEMONIC_POPA, popa<2>},
        {ZYDIS_MNEMONIC_POPAD, popa<4>},
        {ZYDIS_MNEMONIC_PUSHF, pushf<2>},
        {ZYDIS_MNEMONIC_PUSHFD, pushf<4>},
        {ZYDIS_MNEMONIC_POPF, popf<2>},
        {ZYDIS_MNEMONIC_POPFD, popf<4>},
        {ZYDIS_MNEMONIC_ENTER, enter<2>, enter<4>},
        {ZYDIS_MNEMONIC_LEAVE, leave<2>, leave<4>},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
