// SPDX-License-Identifier: MIT
// Instructions on flags: clc stc cmc cld std cli sti lahf sahf salc.
#include "sim/cpu/execute/operands.h"

namespace symsim {
namespace {

template <bool On>
bool set_carry(Processor& cpu, const Op&) {
    cpu.flags().set_cf(On);
    return true;
}
bool cmc(Processor& cpu, const Op&) {
    cpu.flags().set_cf(!cpu.flags().cf());
    return true;
}

template <bool On>
bool set_direction(Processor& cpu, const Op&) {
    cpu.flags().set(Flags::kDirection, On ? +Flags::kDirection : 0u);
    return true;
}

// cli and sti are sensitive to IOPL, in virtual-8086 mode too, where CPL is 3.
template <bool On>
bool set_interrupt(Processor& cpu, const Op&) {
    if (cpu.system().protected_mode() && cpu.system().cpl > cpu.flags().iopl())
        return cpu.raise(Fault::general_protection);
    const bool was = cpu.flags().system & Flags::kInterrupt;
    if (On) cpu.flags().system |= Flags::kInterrupt;
    if (!On) cpu.flags().system &= ~Flags::kInterrupt;
    // No interrupt comes between sti and the instruction after it, such as ret or hlt (PRM, STI).
    if (On && !was) cpu.shadow();
    cpu.flags_changed();
    return true;
}

// lahf and sahf: ah contains the low byte of the flags, SF ZF - AF - PF - CF.
constexpr std::uint32_t kInAh = Flags::kArithmetic & 0xff;

bool lahf(Processor& cpu, const Op&) {
    cpu.regs().set<1>(4, cpu.flags().value());
    return true;
}
bool sahf(Processor& cpu, const Op&) {
    cpu.flags().set(kInAh, cpu.regs().get<1>(4));
    return true;
}

// Not in the manual: al = CF ? 0xff : 0. All of Intel's processors from the 8086 on execute it.
bool salc(Processor& cpu, const Op&) {
    cpu.regs().set<1>(eax, cpu.flags().cf() ? 0xff : 0);
    return true;
}

}  // namespace

Routine find_flag(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_CLC, set_carry<false>},
        {ZYDIS_MNEMONIC_STC, set_carry<true>},
        {ZYDIS_MNEMONIC_CMC, cmc},
        {ZYDIS_MNEMONIC_CLD, set_direction<false>},
        {ZYDIS_MNEMONIC_STD, set_direction<true>},
        {ZYDIS_MNEMONIC_CLI, set_interrupt<false>},
        {ZYDIS_MNEMONIC_STI, set_interrupt<true>},
        {ZYDIS_MNEMONIC_LAHF, lahf},
        {ZYDIS_MNEMONIC_SAHF, sahf},
        {ZYDIS_MNEMONIC_SALC, salc},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
