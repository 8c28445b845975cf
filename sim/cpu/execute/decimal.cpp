// SPDX-License-Identifier: MIT
// Decimal adjustments: aaa aas aad aam daa das. flags.h says which of their flags the manual leaves
// undefined.
#include "sim/cpu/execute/operands.h"

namespace symsim {
namespace {

// The flags of al plus or minus `by`, but for CF and AF.
template <bool Subtract>
void set_adjusted_flags(Flags& flags, std::uint32_t al, std::uint32_t by, bool carry,
                        bool auxiliary) {
    if (Subtract)
        flags.after_subtract<1>(al, by, al - by);
    else
        flags.after_add<1>(al, by, al + by);
    flags.set(Flags::kCarry | Flags::kAuxiliary,
              (carry ? +Flags::kCarry : 0u) | (auxiliary ? +Flags::kAuxiliary : 0u));
}

// A carry out of al also goes into ah: the 286 and all later processors add to the whole of ax.
template <bool Subtract>
bool ascii_adjust(Processor& cpu, const Op&) {
    Registers& regs = cpu.regs();
    const bool adjust = (regs[eax] & 15) > 9 || cpu.flags().af();
    std::uint32_t ax = regs.get<2>(eax);
    set_adjusted_flags<Subtract>(cpu.flags(), ax & 0xff, adjust ? 6 : 0, adjust, adjust);
    if (adjust) ax = Subtract ? ax - 0x106 : ax + 0x106;
    regs.set<2>(eax, ax & 0xff0f);
    return true;
}

template <bool Subtract>
bool decimal_adjust(Processor& cpu, const Op&) {
    Registers& regs = cpu.regs();
    const std::uint32_t before = regs.get<1>(eax);
    const bool low = (before & 15) > 9 || cpu.flags().af();
    const bool high = before > 0x99 || cpu.flags().cf();
    // das also sets CF if the subtraction of 6 borrows.
    const bool carry = high || (Subtract && low && before < 6);
    const std::uint32_t by = (low ? 6u : 0u) + (high ? 0x60u : 0u);
    const std::uint32_t after = (Subtract ? before - by : before + by) & 0xff;
    regs.set<1>(eax, after);
    set_adjusted_flags<Subtract>(cpu.flags(), before, by, carry, low);
    return true;
}

bool aad(Processor& cpu, const Op& op) {
    Registers& regs = cpu.regs();
    const std::uint32_t low = regs.get<1>(eax);
    const std::uint32_t tens = (regs[eax] >> 8 & 0xff) * op.immediate & 0xff;
    cpu.flags().after_add<1>(low, tens, low + tens);
    regs.set<2>(eax, (low + tens) & 0xff);
    return true;
}

bool aam(Processor& cpu, const Op& op) {
    if (op.immediate == 0) return cpu.raise(Fault::divide_error);
    Registers& regs = cpu.regs();
    const std::uint32_t value = regs.get<1>(eax);
    regs.set<2>(eax, value / op.immediate << 8 | value % op.immediate);
    cpu.flags().after_logic<1>(value % op.immediate);
    return true;
}

}  // namespace

Routine find_decimal(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_AAA, ascii_adjust<false>},
        {ZYDIS_MNEMONIC_AAS, ascii_adjust<true>},
        {ZYDIS_MNEMONIC_DAA, decimal_adjust<false>},
        {ZYDIS_MNEMONIC_DAS, decimal_adjust<true>},
        {ZYDIS_MNEMONIC_AAD, aad},
        {ZYDIS_MNEMONIC_AAM, aam},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
