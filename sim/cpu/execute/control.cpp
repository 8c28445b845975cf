// SPDX-License-Identifier: MIT
// Control transfers within the code segment: jmp jcc call ret loop jecxz. A 16-bit operand size
// truncates the target to 16 bits.
#include <utility>

#include "sim/cpu/execute/operands.h"
#include "sim/cpu/isa/clocks.h"

namespace symsim {
namespace {

template <unsigned Condition>
struct Jcc {
    static constexpr unsigned kTakenClocks = kTakenJumpClocks;
    static bool taken(const Flags& flags) { return flags.condition(Condition); }
    static bool execute(Processor& cpu, const Op& op) {
        if (!taken(cpu.flags())) return true;
        cpu.add_clocks(kTakenClocks);
        return cpu.branch_by(op);
    }
};
template <std::size_t... Condition>
Routine find_jcc(unsigned condition, std::index_sequence<Condition...>) {
    static constexpr Routine kRoutines[] = {fast_jump<Jcc<Condition>>()...};
    return kRoutines[condition];
}

struct Jmp {
    static constexpr unsigned kTakenClocks = 0;
    static bool taken(const Flags&) { return true; }
    static bool execute(Processor& cpu, const Op& op) { return cpu.branch_by(op); }
};

// jmp to the target in a register or in memory.
template <unsigned Size, bool Memory>
struct JmpIndirect {
    template <class Cpu>
    static bool find_target(Cpu& cpu, const Op& op, std::uint32_t& target) {
        return load_operand<Size, Memory>(cpu, op, op.dst, target);
    }
    template <class Cpu>
    static void take(Cpu&, const Op&) {}
};
// `immediate` is the n of ret n, and 0 for ret.
template <unsigned Size>
struct Ret {
    template <class Cpu>
    static bool find_target(Cpu& cpu, const Op& op, std::uint32_t& target) {
        return cpu.template read_at<Size>(op, ss, stack_top(cpu), target);
    }
    template <class Cpu>
    static void take(Cpu& cpu, const Op& op) {
        set_stack(cpu, stack_top(cpu) + Size + op.immediate);
    }
};

// Pushes the return address and branches to the target. A target beyond the limit of cs leaves the
// stack unchanged (SDM, operation of CALL).
template <unsigned Size>
bool call_to(Processor& cpu, const Op& op, Address target) {
    const Address top = stack_below(cpu, Size);
    if (!cpu.check_target(target) || !cpu.write_at<Size>(op, ss, top, cpu.next_eip() & kMask<Size>))
        return false;
    cpu.go_to(target);
    set_stack(cpu, top);
    return true;
}
template <unsigned Size>
bool call(Processor& cpu, const Op& op) {
    return call_to<Size>(cpu, op, (cpu.next_eip() + op.immediate) & kMask<Size>);
}
template <unsigned Size, bool Memory>
bool call_indirect(Processor& cpu, const Op& op) {
    std::uint32_t target;
    if (!load_operand<Size, Memory>(cpu, op, op.dst, target)) return false;
    return call_to<Size>(cpu, op, target);
}

template <Repeat R>
bool loop(Processor& cpu, const Op& op) {
    const std::uint32_t left = index_register(cpu.regs(), op, ecx) - 1;
    const bool more = (op.address_size == 2 ? left & 0xffff : left) != 0;
    if (more && (R == Repeat::none || cpu.flags().zf() == (R == Repeat::repe)) &&
        !cpu.branch_by(op))
        return false;
    set_index_register(cpu.regs(), op, ecx, left);
    return true;
}

bool jecxz(Processor& cpu, const Op& op) {
    if (index_register(cpu.regs(), op, ecx) == 0) {
        cpu.add_clocks(kTakenJumpClocks);
        return cpu.branch_by(op);
    }
    return true;
}

Routine find_jmp(const Shape& shape) {
    if (shape.form == Form::i) return fast_jump<Jmp>();
    return by_word_operand(shape, [](auto size, auto memory) -> Routine {
        return fast_branch<JmpIndirect<size, memory>>();
    });
}
Routine find_call(const Shape& shape) {
    if (shape.form == Form::i) return shape.size == 2 ? call<2> : call<4>;
    return by_word_operand(
        shape, [](auto size, auto memory) -> Routine { return call_indirect<size, memory>; });
}

// Calls and returns that the processor reports.
template <Handler Execute>
bool told_call(Processor& cpu, const Op& op) {
    const Offset back = cpu.next_eip();
    if (!Execute(cpu, op)) return false;
    cpu.tell_call(Mark::What::call, back);
    return true;
}
template <Handler Execute>
bool told_return(Processor& cpu, const Op& op) {
    if (!Execute(cpu, op)) return false;
    cpu.tell_call(Mark::What::call_end, 0);
    return true;
}

}  // namespace

Handler telling(Handler handler) {
    static constexpr std::pair<Handler, Handler> kTelling[] = {
        {call<4>, told_call<call<4>>},
        {call_indirect<4, false>, told_call<call_indirect<4, false>>},
        {call_indirect<4, true>, told_call<call_indirect<4, true>>},
        {execute_branch<Ret<4>>, told_return<execute_branch<Ret<4>>>},
    };
    for (const auto& [plain, tells] : kTelling)
        if (plain == handler) return tells;
    return nullptr;
}

Routine find_control(const Shape& shape) {
    if (shape.condition != kNoCondition && shape.form == Form::i)
        return find_jcc(shape.condition, std::make_index_sequence<16>{});
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_JMP, find_jmp},
        {ZYDIS_MNEMONIC_CALL, find_call},
        {ZYDIS_MNEMONIC_RET, fast_branch<Ret<2>>(), fast_branch<Ret<4>>()},
        {ZYDIS_MNEMONIC_LOOP, loop<Repeat::none>},
        {ZYDIS_MNEMONIC_LOOPE, loop<Repeat::repe>},
        {ZYDIS_MNEMONIC_LOOPNE, loop<Repeat::repne>},
        {ZYDIS_MNEMONIC_JCXZ, jecxz},
        {ZYDIS_MNEMONIC_JECXZ, jecxz},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
