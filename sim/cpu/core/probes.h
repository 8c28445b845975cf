// SPDX-License-Identifier: MIT
// Probe points of the guest as the processor sees them: addresses at which an event is reported.
// They are not instructions, so they cost the guest nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/types.h"
#include "sim/cpu/isa/op.h"
#include "sim/cpu/state/registers.h"

namespace symsim {

// Where the operand of a probe point is. As with SystemTap's static probes, the guest's compiler
// can keep the value wherever it is, so that the probe moves no data.
struct ProbeOperand {
    enum class Kind : std::uint8_t { reg, imm, mem };
    Kind kind = Kind::imm;
    std::uint8_t base = kNoReg;   // of a register operand: the register
    std::uint8_t index = kNoReg;  // Reg, as base
    std::uint8_t scale = 1;
    std::uint8_t shift = 0;  // of a register operand: 8 for %ah, %ch, %dh, %bh
    std::uint8_t size = 4;   // bytes of the value, which is zero-extended
    bool is_signed = false;  // sign-extended instead
    std::uint32_t disp = 0;  // or the value of an immediate
};

// `reg(n)` returns all 32 bits of general register n (enum Reg). `peek(address, size)` returns
// bytes of memory at a linear address, as the processor sees them.
template <class RegisterOf, class Peek>
std::uint32_t evaluate_unsigned(const ProbeOperand& op, RegisterOf&& reg, Peek&& peek) {
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

template <class RegisterOf, class Peek>
std::uint32_t evaluate(const ProbeOperand& op, RegisterOf&& reg, Peek&& peek) {
    const std::uint32_t value = evaluate_unsigned(op, reg, peek);
    const unsigned rest = 32 - 8 * op.size;
    if (!op.is_signed || rest == 0) return value;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(value << rest) >> rest);
}

struct Probe {
    Address address = 0;
    ProbeKind kind = ProbeKind::message;
    ProbeOperand operand;
};

struct ProbeRange {
    const Probe* first = nullptr;
    const Probe* last = nullptr;
    const Probe* begin() const { return first; }
    const Probe* end() const { return last; }
    bool empty() const { return first == last; }
    // They read memory, change the process table or the use of a page, or end the run: possible
    // only at commit time.
    bool wait_for_commit() const {
        return std::any_of(first, last, [](const Probe& probe) {
            return probe.operand.kind == ProbeOperand::Kind::mem ||
                   probe.kind == ProbeKind::argument || is_process(probe.kind) ||
                   is_page(probe.kind) || probe.kind == ProbeKind::failure ||
                   has_callers(probe.kind);
        });
    }
};

class ProbePoints {
  public:
    ProbePoints() = default;
    explicit ProbePoints(std::vector<Probe> probes);

    // All probe points at an address, in the order in which they were given. Called when code is
    // decoded.
    ProbeRange at(Address address) const;

  private:
    std::vector<Probe> probes_;  // sorted by address
};

// An instruction in the decode cache that has probe points at its beginning.
struct ProbedOp : Op {
    ProbeRange probes;
    // The op is not executed speculatively, because of its probe points.
    bool waits_for_commit = false;
    Op instruction;  // the same instruction without the probe points

    // Adds probe points to the op, which has been decoded.
    void put_before(const ProbeRange& points);
};

}  // namespace symsim
