// SPDX-License-Identifier: MIT
// Instructions that cause interrupts and exceptions: int n, int3, into, bound; hlt; and what
// cannot be executed.
#include "sim/cpu/execute/operands.h"

#include <fmt/format.h>

namespace symsim {
namespace {

bool software(Processor& cpu, unsigned vector, bool one_byte) {
    Event event;
    event.source = Event::Source::software;
    event.one_byte = one_byte;
    event.vector = static_cast<std::uint8_t>(vector);
    event.return_eip = cpu.next_eip();
    return cpu.begin_event(event);
}

// In virtual-8086 mode int n is sensitive to IOPL, for the monitor. int3 and into are not (PRM
// 15.4).
bool int_n(Processor& cpu, const Op& op) {
    if (!cpu.non_speculative()) return false;
    if (cpu.system().virtual_8086 && cpu.flags().iopl() < 3)
        return cpu.raise(Fault::general_protection);
    return software(cpu, op.immediate & 0xff, false);
}

bool int3(Processor& cpu, const Op&) {
    return cpu.non_speculative() && software(cpu, static_cast<unsigned>(Fault::breakpoint), true);
}

bool into(Processor& cpu, const Op&) {
    if (!cpu.flags().of()) return true;
    return cpu.non_speculative() && software(cpu, static_cast<unsigned>(Fault::overflow), true);
}

template <unsigned Size>
bool bound(Processor& cpu, const Op& op) {
    const Address address = effective_address(cpu.regs(), op);
    std::uint32_t lower, upper;
    if (!cpu.read<Size>(op, address, lower)) return false;
    if (!cpu.read<Size>(op, address_after(op, address, Size), upper)) return false;
    const auto as_signed = [](std::uint32_t v) {
        return static_cast<std::int32_t>(sign_extend<Size>(v));
    };
    const std::int32_t value = as_signed(cpu.regs().get<Size>(op.dst));
    if (value >= as_signed(lower) && value <= as_signed(upper)) return true;
    return cpu.raise(Fault::bound);
}

bool hlt(Processor& cpu, const Op&) {
    return cpu.non_speculative() && cpu.require_ring_0() && cpu.halt();
}

}  // namespace

Routine find_interrupt(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_INT, int_n}, {ZYDIS_MNEMONIC_INT3, int3},
        {ZYDIS_MNEMONIC_INTO, into}, {ZYDIS_MNEMONIC_BOUND, bound<2>, bound<4>},
        {ZYDIS_MNEMONIC_HLT, hlt},
    };
    return find_in(kRows, shape);
}

// What cannot be executed: instructions that the processor does not have (an undefined opcode, or
// an operand that the instruction does not take), and memory without code.
bool execute_undefined(Processor& cpu, const Op& op) {
    return cpu.refuse(*op.complaint);
}

bool execute_outside(Processor& cpu, const Op& op) {
    return cpu.fail(
        fmt::format("execution at {:#010x}, where no code of the guest image is", op.address),
        "look for a call through a null pointer, a wild jump or an overwritten return address: the "
        "backtrace shows the caller; for a guest that makes code of its own, set "
        "guest.code_anywhere = true");
}

}  // namespace symsim
