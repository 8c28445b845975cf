// SPDX-License-Identifier: MIT
// I/O instructions: in out ins outs (PRM chapter 8). They are non-speculative, since the I/O
// permission bit map is in memory.
#include "sim/cpu/delivery/task_switch.h"
#include "sim/cpu/execute/operands.h"
#include "sim/cpu/isa/clocks.h"

namespace symsim {
namespace {

bool permitted(Processor& cpu, std::uint32_t port, unsigned size) {
    return cpu.non_speculative() && ports_allowed(cpu, port, size);
}

// Beyond those in protected mode with CPL not above IOPL.
unsigned clocks_of_mode(Processor& cpu) {
    const System& system = cpu.system();
    if (!system.protected_mode()) return kPortRealClocks;
    return system.virtual_8086 || system.cpl > cpu.flags().iopl() ? kPortAboveIoplClocks : 0;
}

template <bool Immediate>
std::uint32_t port_of(Processor& cpu, const Op& op) {
    return Immediate ? op.immediate & 0xff : cpu.regs().get<2>(edx);
}

template <unsigned Size, bool Immediate>
bool in(Processor& cpu, const Op& op) {
    const std::uint32_t port = port_of<Immediate>(cpu, op);
    std::uint32_t value;
    if (!permitted(cpu, port, Size) || !cpu.read_port<Size>(op, port, value)) return false;
    cpu.add_clocks(clocks_of_mode(cpu));
    cpu.regs().set<Size>(eax, value);
    return true;
}

template <unsigned Size, bool Immediate>
bool out(Processor& cpu, const Op& op) {
    const std::uint32_t port = port_of<Immediate>(cpu, op);
    cpu.add_clocks(clocks_of_mode(cpu));
    return permitted(cpu, port, Size) && cpu.write_port<Size>(op, port, cpu.regs().get<Size>(eax));
}

template <unsigned Size>
struct Ins {
    static RepeatClocks additional(Processor& cpu) {
        const unsigned once = kRepeatInsClocks + clocks_of_mode(cpu);
        return {once, 0, once};
    }
    static bool element(Processor& cpu, const Op& op) {
        const std::uint32_t port = cpu.regs().get<2>(edx);
        std::uint32_t value;
        // The destination is checked first: a fault after the port was read would lose the data.
        const Address to = index_register(cpu.regs(), op, edi);
        if (!permitted(cpu, port, Size) || !cpu.probe_write<Size>(es, to) ||
            !cpu.read_port<Size>(op, port, value) || !cpu.write_at<Size>(op, es, to, value))
            return false;
        step_index<Size>(cpu, op, edi);
        return true;
    }
};

template <unsigned Size>
struct Outs {
    static RepeatClocks additional(Processor& cpu) {
        if (!cpu.system().protected_mode())
            return {0, kRealOutsElementClocks, kRealOutsElementClocks};
        const unsigned once = kRepeatOutsClocks + clocks_of_mode(cpu);
        return {once, 0, once};
    }
    static bool element(Processor& cpu, const Op& op) {
        const std::uint32_t port = cpu.regs().get<2>(edx);
        std::uint32_t value;
        if (!permitted(cpu, port, Size) ||
            !cpu.read<Size>(op, index_register(cpu.regs(), op, esi), value) ||
            !cpu.write_port<Size>(op, port, value))
            return false;
        step_index<Size>(cpu, op, esi);
        return true;
    }
};

template <class Operation>
bool once(Processor& cpu, const Op& op) {
    cpu.add_clocks(clocks_of_mode(cpu));
    return Operation::element(cpu, op);
}

template <class Operation>
bool repeated(Processor& cpu, const Op& op) {
    const RepeatClocks clocks = repeat_clocks(op);
    const RepeatClocks more = Operation::additional(cpu);
    const std::uint32_t count = index_register(cpu.regs(), op, ecx);
    if (count == 0) {
        cpu.add_clocks(clocks.empty + more.empty);
        return true;
    }
    if (!Operation::element(cpu, op)) return false;
    set_index_register(cpu.regs(), op, ecx, count - 1);
    cpu.add_clocks(count == 1 ? clocks.last + more.last : clocks.element + more.element);
    if (count > 1) cpu.repeat();
    return true;
}

template <template <unsigned> class Operation, unsigned Size>
Routine find_string_port(const Shape& shape) {
    return shape.repeat == Repeat::none ? once<Operation<Size>> : repeated<Operation<Size>>;
}

Routine find_in_port(const Shape& shape) {
    return by_size(shape.size, [&](auto size) -> Routine {
        return shape.immediate ? in<size, true> : in<size, false>;
    });
}

Routine find_out_port(const Shape& shape) {
    return by_size(shape.source_size, [&](auto size) -> Routine {
        return shape.form == Form::ir ? out<size, true> : out<size, false>;
    });
}

}  // namespace

Routine find_port(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_IN, find_in_port},
        {ZYDIS_MNEMONIC_OUT, find_out_port},
        {ZYDIS_MNEMONIC_INSB, find_string_port<Ins, 1>},
        {ZYDIS_MNEMONIC_INSW, find_string_port<Ins, 2>},
        {ZYDIS_MNEMONIC_INSD, find_string_port<Ins, 4>},
        {ZYDIS_MNEMONIC_OUTSB, find_string_port<Outs, 1>},
        {ZYDIS_MNEMONIC_OUTSW, find_string_port<Outs, 2>},
        {ZYDIS_MNEMONIC_OUTSD, find_string_port<Outs, 4>},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
