// SPDX-License-Identifier: MIT
// Data movement: mov, movzx, movsx, lea, xchg, xlat, sign extensions of the accumulator, setcc,
// cmovcc; and nop.
#include "sim/cpu/execute/operands.h"

namespace symsim {
namespace {

template <unsigned Size, Form F>
struct Mov {
    template <class Cpu>
    static bool execute(Cpu& cpu, const Op& op) {
        Registers& regs = cpu.regs();
        if constexpr (F == Form::rr) {
            regs.set<Size>(op.dst, regs.get<Size>(op.src));
        } else if constexpr (F == Form::ri) {
            regs.set<Size>(op.dst, op.immediate);
        } else if constexpr (F == Form::rm) {
            std::uint32_t value;
            if (!cpu.template read<Size>(op, effective_address(cpu, op), value)) return false;
            regs.set<Size>(op.dst, value);
        } else {
            const std::uint32_t value = F == Form::mi ? op.immediate : regs.get<Size>(op.src);
            return cpu.template write<Size>(op, effective_address(cpu, op), value);
        }
        return true;
    }
};

template <unsigned From, unsigned To, bool Signed, bool Memory>
struct Extend {
    template <class Cpu>
    static bool execute(Cpu& cpu, const Op& op) {
        std::uint32_t value;
        if (!load_operand<From, Memory>(cpu, op, op.src, value)) return false;
        cpu.regs().template set<To>(op.dst, Signed ? sign_extend<From>(value) : value);
        return true;
    }
};

template <unsigned Size>
struct Lea {
    template <class Cpu>
    static bool execute(Cpu& cpu, const Op& op) {
        cpu.regs().template set<Size>(op.dst, effective_address(cpu, op));
        return true;
    }
};

template <unsigned Size>
bool xchg_registers(Processor& cpu, const Op& op) {
    Registers& regs = cpu.regs();
    const std::uint32_t first = regs.get<Size>(op.dst);
    regs.set<Size>(op.dst, regs.get<Size>(op.src));
    regs.set<Size>(op.src, first);
    return true;
}

// xchg with memory locks the address from its load to its store (Op::locked), or makes both at once
// (exchange()). The decoder puts the register into `dst`, whichever operand it is.
template <unsigned Size>
bool xchg_memory(Processor& cpu, const Op& op) {
    const Address address = effective_address(cpu.regs(), op);
    if (!cpu.exchange(op, address, Size, cpu.regs().get<Size>(op.dst))) return false;
    std::uint32_t value;
    if (!cpu.read_for_write<Size>(op, address, value)) return false;
    if (!cpu.write<Size>(op, address, cpu.regs().get<Size>(op.dst))) return false;
    cpu.regs().set<Size>(op.dst, value);
    return true;
}

bool xlat(Processor& cpu, const Op& op) {
    Registers& regs = cpu.regs();
    Address address = regs[ebx] + regs.get<1>(eax);
    if (op.address_size == 2) address &= 0xffff;
    std::uint32_t value;
    if (!cpu.read<1>(op, address, value)) return false;
    regs.set<1>(eax, value);
    return true;
}

bool cbw(Processor& cpu, const Op&) {
    cpu.regs().set<2>(eax, sign_extend<1>(cpu.regs()[eax]));
    return true;
}
struct Cwde {
    template <class Cpu>
    static bool execute(Cpu& cpu, const Op&) {
        cpu.regs()[eax] = sign_extend<2>(cpu.regs()[eax]);
        return true;
    }
};
bool cwd(Processor& cpu, const Op&) {
    cpu.regs().set<2>(edx, sign<2>(cpu.regs()[eax]) ? 0xffff : 0);
    return true;
}
struct Cdq {
    template <class Cpu>
    static bool execute(Cpu& cpu, const Op&) {
        cpu.regs()[edx] = sign<4>(cpu.regs()[eax]) ? 0xffff'ffff : 0;
        return true;
    }
};
struct Nop {
    template <class Cpu>
    static bool execute(Cpu&, const Op&) {
        return true;
    }
};

template <bool Memory>
struct SetCondition {
    template <class Cpu>
    static bool execute(Cpu& cpu, const Op& op) {
        return store_operand<1, Memory>(cpu, op, cpu.flags().condition(op.extra));
    }
};
// The source is read whatever the condition (SDM, CMOVcc).
template <unsigned Size, bool Memory>
struct MoveConditionally {
    template <class Cpu>
    static bool execute(Cpu& cpu, const Op& op) {
        std::uint32_t value;
        if (!load_operand<Size, Memory>(cpu, op, op.src, value)) return false;
        if (cpu.flags().condition(op.extra)) cpu.regs().template set<Size>(op.dst, value);
        return true;
    }
};

Routine find_mov(const Shape& shape) {
    return by_size(shape.size, [&](auto size) -> Routine {
        return by_form(shape.form, size, [](auto bytes, auto form) -> Routine {
            if constexpr (form == Form::mr || form == Form::mi)
                return fast_store<Mov<bytes, form>>();
            else
                return fast<Mov<bytes, form>>();
        });
    });
}

template <bool Signed>
Routine find_extend(const Shape& shape) {
    const bool memory = has_memory(shape.form);
    return by_word_size(shape.size, [&](auto to) -> Routine {
        if (shape.source_size == 1)
            return memory ? fast<Extend<1, to, Signed, true>>()
                          : fast<Extend<1, to, Signed, false>>();
        return memory ? fast<Extend<2, to, Signed, true>>() : fast<Extend<2, to, Signed, false>>();
    });
}

Routine find_xchg(const Shape& shape) {
    return by_size(shape.size, [&](auto size) -> Routine {
        return has_memory(shape.form) ? xchg_memory<size> : xchg_registers<size>;
    });
}

}  // namespace

Routine find_move(const Shape& shape) {
    if (shape.condition != kNoCondition) {
        if (shape.form == Form::m) return fast_store<SetCondition<true>>();
        if (shape.form == Form::r) return fast<SetCondition<false>>();
        if (shape.form != Form::rr && shape.form != Form::rm) return nullptr;
        return by_word_operand(shape, [](auto size, auto memory) -> Routine {
            return fast<MoveConditionally<size, memory>>();
        });
    }
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_MOV, find_mov},
        {ZYDIS_MNEMONIC_MOVZX, find_extend<false>},
        {ZYDIS_MNEMONIC_MOVSX, find_extend<true>},
        {ZYDIS_MNEMONIC_LEA, fast<Lea<2>>(), fast<Lea<4>>()},
        {ZYDIS_MNEMONIC_XCHG, find_xchg},
        {ZYDIS_MNEMONIC_XLAT, xlat},
        {ZYDIS_MNEMONIC_CBW, cbw},
        {ZYDIS_MNEMONIC_CWDE, fast<Cwde>()},
        {ZYDIS_MNEMONIC_CWD, cwd},
        {ZYDIS_MNEMONIC_CDQ, fast<Cdq>()},
        {ZYDIS_MNEMONIC_NOP, fast<Nop>()},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
