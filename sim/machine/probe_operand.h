// SPDX-License-Identifier: MIT
// The operand of a probe point: where its value is, in the words the guest's compiler used. As in
// SystemTap's static probes the compiler is left free to keep the value wherever it is, so that
// the probe moves nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/types.h"
#include "sim/cpu/registers.h"
#include "sim/machine/symbols.h"

namespace symsim {

struct ProbeOperand {
    enum class Kind : std::uint8_t { reg, imm, mem };
    Kind kind = Kind::imm;
    std::uint8_t base = kNoReg;   // of a register operand, the register
    std::uint8_t index = kNoReg;  // Reg, as base
    std::uint8_t scale = 1;
    std::uint8_t shift = 0;  // of a register operand: 8 for %ah and its like
    std::uint8_t size = 4;   // bytes of the value, which is zero-extended
    std::uint32_t disp = 0;  // or the value of an immediate
};

// AT&T syntax: "%eax", "$123", "$lock+4", "lock", "12(%esp)", "table(,%ebx,4)". Throws UserError
// saying what it cannot read.
ProbeOperand parse_probe_operand(std::string_view text, const Symbols& symbols);

// `reg(n)` gives all 32 bits of general register n (enum Reg), `peek(address, size)` bytes of
// memory as the processor sees them.
template <class RegisterOf, class Peek>
std::uint32_t evaluate(const ProbeOperand& op, RegisterOf&& reg, Peek&& peek) {
    if (op.kind == ProbeOperand::Kind::imm) return op.disp;
    if (op.kind == ProbeOperand::Kind::reg) {
        const std::uint32_t mask = op.size == 4 ? ~0u : (1u << 8 * op.size) - 1;
        return reg(op.base) >> op.shift & mask;
    }
    Address address = op.disp;
    if (op.base != kNoReg) address += reg(op.base);
    if (op.index != kNoReg) address += reg(op.index) * op.scale;
    return peek(address, static_cast<unsigned>(op.size));
}

}  // namespace symsim
