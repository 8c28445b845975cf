// SPDX-License-Identifier: MIT
// String instructions: movs stos lods scas cmps, alone and with a repeat prefix.
//
// The handler of a repeated instruction processes one element and asks to be executed again
// (Processor::repeat()). So the instruction can pause, have a rollback point and be interrupted
// between two elements, as on the real 386.
#include "sim/cpu/execute/operands.h"
#include "sim/cpu/isa/clocks.h"

namespace symsim {
namespace {

// One element of each instruction: its loads and its store, and then the changes of registers and
// flags. kCompares: ZF can end a repetition.
struct Movs {
    static constexpr bool kCompares = false;
    template <unsigned Size>
    static bool element(Processor& cpu, const Op& op) {
        std::uint32_t value;
        if (!cpu.read<Size>(op, index_register(cpu.regs(), op, esi), value)) return false;
        if (!cpu.write_at<Size>(op, es, index_register(cpu.regs(), op, edi), value)) return false;
        step_index<Size>(cpu, op, esi);
        step_index<Size>(cpu, op, edi);
        return true;
    }
};
struct Stos {
    static constexpr bool kCompares = false;
    template <unsigned Size>
    static bool element(Processor& cpu, const Op& op) {
        if (!cpu.write_at<Size>(op, es, index_register(cpu.regs(), op, edi),
                                cpu.regs().get<Size>(eax)))
            return false;
        step_index<Size>(cpu, op, edi);
        return true;
    }
};
struct Lods {
    static constexpr bool kCompares = false;
    template <unsigned Size>
    static bool element(Processor& cpu, const Op& op) {
        std::uint32_t value;
        if (!cpu.read<Size>(op, index_register(cpu.regs(), op, esi), value)) return false;
        cpu.regs().set<Size>(eax, value);
        step_index<Size>(cpu, op, esi);
        return true;
    }
};
struct Scas {
    static constexpr bool kCompares = true;
    template <unsigned Size>
    static bool element(Processor& cpu, const Op& op) {
        std::uint32_t value;
        if (!cpu.read_at<Size>(op, es, index_register(cpu.regs(), op, edi), value)) return false;
        const std::uint32_t wanted = cpu.regs().get<Size>(eax);
        cpu.flags().after_subtract<Size>(wanted, value, wanted - value);
        step_index<Size>(cpu, op, edi);
        return true;
    }
};
struct Cmps {
    static constexpr bool kCompares = true;
    template <unsigned Size>
    static bool element(Processor& cpu, const Op& op) {
        std::uint32_t first, second;
        if (!cpu.read<Size>(op, index_register(cpu.regs(), op, esi), first)) return false;
        if (!cpu.read_at<Size>(op, es, index_register(cpu.regs(), op, edi), second)) return false;
        cpu.flags().after_subtract<Size>(first, second, first - second);
        step_index<Size>(cpu, op, esi);
        step_index<Size>(cpu, op, edi);
        return true;
    }
};

template <class Operation, unsigned Size>
bool once(Processor& cpu, const Op& op) {
    return Operation::template element<Size>(cpu, op);
}

template <class Operation, unsigned Size, Repeat R>
bool repeated(Processor& cpu, const Op& op) {
    const RepeatClocks clocks = repeat_clocks(op);
    const std::uint32_t count = index_register(cpu.regs(), op, ecx);
    if (count == 0) {
        cpu.add_clocks(clocks.empty);
        return true;
    }
    if (!Operation::template element<Size>(cpu, op)) return false;
    set_index_register(cpu.regs(), op, ecx, count - 1);
    const bool ended =
        count == 1 || (Operation::kCompares && cpu.flags().zf() != (R == Repeat::repe));
    cpu.add_clocks(ended ? clocks.last : clocks.element);
    if (!ended) cpu.repeat();
    return true;
}

template <class Operation>
Routine find(const Shape& shape) {
    return by_size(shape.size, [&](auto size) -> Routine {
        if (shape.repeat == Repeat::none) return once<Operation, size>;
        if (Operation::kCompares && shape.repeat == Repeat::repne)
            return repeated<Operation, size, Repeat::repne>;
        return repeated<Operation, size, Repeat::repe>;
    });
}

}  // namespace

Routine find_string(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_MOVSB, find<Movs>}, {ZYDIS_MNEMONIC_MOVSW, find<Movs>},
        {ZYDIS_MNEMONIC_MOVSD, find<Movs>}, {ZYDIS_MNEMONIC_STOSB, find<Stos>},
        {ZYDIS_MNEMONIC_STOSW, find<Stos>}, {ZYDIS_MNEMONIC_STOSD, find<Stos>},
        {ZYDIS_MNEMONIC_LODSB, find<Lods>}, {ZYDIS_MNEMONIC_LODSW, find<Lods>},
        {ZYDIS_MNEMONIC_LODSD, find<Lods>}, {ZYDIS_MNEMONIC_SCASB, find<Scas>},
        {ZYDIS_MNEMONIC_SCASW, find<Scas>}, {ZYDIS_MNEMONIC_SCASD, find<Scas>},
        {ZYDIS_MNEMONIC_CMPSB, find<Cmps>}, {ZYDIS_MNEMONIC_CMPSW, find<Cmps>},
        {ZYDIS_MNEMONIC_CMPSD, find<Cmps>},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
