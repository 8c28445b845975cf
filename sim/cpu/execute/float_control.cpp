// SPDX-License-Identifier: MIT
// The 80387's control instructions: fninit fldcw fnstcw fnstsw fnclex fnstenv fldenv fnsave frstor
// fincstp fdecstp ffree fnop fwait, and those of the 8087 and 80287 that do nothing on the 80387.
#include "sim/cpu/execute/float_operands.h"

namespace symsim {
namespace {

// --- the environment in memory ------------------------------------------------------------------

// The environment in memory: control word, status word, tag word, then the instruction and operand
// pointers. In protected mode a pointer is a selector and an offset, else an address of 20 bits.
// Each field is a word or a dword; in a dword, a reserved upper half is ones. The opcode is stored
// if the layout has room for it (387 manual, figures of FSTENV).
struct Layout {
    unsigned size;  // of a field: 2 or 4
    bool real;

    unsigned environment() const { return 7 * size; }
    unsigned whole() const { return environment() + 80; }
};

Layout layout_of(Processor& cpu, const Op& op) {
    return {op.operand_size, cpu.system().real_segments()};
}

std::uint32_t linear(std::uint16_t selector, std::uint32_t offset) {
    return (std::uint32_t{selector} << 4) + offset;
}

void put_environment(const Fpu& fpu, const Layout& layout, FloatBytes& bytes) {
    const FloatPointers& p = fpu.pointers;
    std::array<std::uint32_t, 7> field = {fpu.control, fpu.status_word(), fpu.tag_word()};
    if (layout.real) {
        const std::uint32_t code = linear(p.code_selector, p.instruction);
        const std::uint32_t data = linear(p.operand_selector, p.operand);
        field[3] = code & 0xffff;
        field[4] = code >> 16 << 12 | p.opcode;
        field[5] = data & 0xffff;
        field[6] = data >> 16 << 12;
    } else {
        field[3] = p.instruction;
        field[4] = p.code_selector | std::uint32_t{p.opcode} << 16;
        field[5] = p.operand;
        field[6] = p.operand_selector;
    }
    if (layout.size == 2) {
        for (unsigned n = 0; n < 7; ++n) put_bytes<2>(bytes, 2 * n, field[n]);
        return;
    }
    constexpr std::uint32_t kOnes = 0xffff'0000;
    for (const unsigned n : {0u, 1u, 2u}) field[n] |= kOnes;
    if (layout.real)
        for (const unsigned n : {3u, 5u}) field[n] |= kOnes;
    else
        field[6] |= kOnes;
    for (unsigned n = 0; n < 7; ++n) put_bytes<4>(bytes, 4 * n, field[n]);
}

void get_environment(Fpu& fpu, const Layout& layout, const FloatBytes& bytes) {
    std::array<std::uint32_t, 7> field;
    for (unsigned n = 0; n < 7; ++n)
        field[n] = static_cast<std::uint32_t>(layout.size == 2 ? get_bytes<2>(bytes, 2 * n)
                                                               : get_bytes<4>(bytes, 4 * n));
    fpu.set_control_word(field[0]);
    fpu.set_status_word(static_cast<std::uint16_t>(field[1]));
    fpu.set_tag_word(static_cast<std::uint16_t>(field[2]));
    FloatPointers& p = fpu.pointers;
    p = {};
    if (layout.real) {
        p.instruction = (field[3] & 0xffff) | field[4] >> 12 << 16;
        p.operand = (field[5] & 0xffff) | field[6] >> 12 << 16;
        p.opcode = field[4] & 0x7ff;
    } else {
        p.instruction = field[3];
        p.code_selector = static_cast<std::uint16_t>(field[4]);
        p.operand = field[5];
        p.operand_selector = static_cast<std::uint16_t>(field[6]);
        if (layout.size == 4) p.opcode = field[4] >> 16 & 0x7ff;
    }
}

// The registers follow the environment, ST(0) first.
void put_registers(const Fpu& fpu, unsigned at, FloatBytes& bytes) {
    for (unsigned n = 0; n < 8; ++n) {
        put_bytes<8>(bytes, at + 10 * n, fpu.st(n).significand);
        put_bytes<2>(bytes, at + 10 * n + 8, fpu.st(n).sign_exponent);
    }
}
void get_registers(Fpu& fpu, unsigned at, const FloatBytes& bytes) {
    for (unsigned n = 0; n < 8; ++n)
        fpu.registers[fpu.index(n)] = {
            get_bytes<8>(bytes, at + 10 * n),
            static_cast<std::uint16_t>(get_bytes<2>(bytes, at + 10 * n + 8))};
}

// After fnstenv all exceptions are masked, so that an exception handler can continue.
bool fnstenv(Processor& cpu, const Op& op) {
    if (!begin_control(cpu)) return false;
    const Layout layout = layout_of(cpu, op);
    FloatBytes bytes;
    put_environment(fpu_of(cpu), layout, bytes);
    if (!write_float_bytes(cpu, op, layout.environment(), bytes)) return false;
    fpu_of(cpu).control |= kFloatExceptions;
    wait_for_result(cpu, op);
    finish_control(cpu, op);
    return true;
}

bool fldenv(Processor& cpu, const Op& op) {
    const Layout layout = layout_of(cpu, op);
    FloatBytes bytes;
    if (!begin_float(cpu) || !read_float_bytes(cpu, op, layout.environment(), bytes)) return false;
    get_environment(fpu_of(cpu), layout, bytes);
    finish_control(cpu, op);
    return true;
}

bool fnsave(Processor& cpu, const Op& op) {
    if (!begin_control(cpu)) return false;
    const Layout layout = layout_of(cpu, op);
    FloatBytes bytes;
    put_environment(fpu_of(cpu), layout, bytes);
    put_registers(fpu_of(cpu), layout.environment(), bytes);
    if (!write_float_bytes(cpu, op, layout.whole(), bytes)) return false;
    fpu_of(cpu).initialise();
    wait_for_result(cpu, op);
    finish_control(cpu, op);
    return true;
}

bool frstor(Processor& cpu, const Op& op) {
    const Layout layout = layout_of(cpu, op);
    FloatBytes bytes;
    if (!begin_float(cpu) || !read_float_bytes(cpu, op, layout.whole(), bytes)) return false;
    get_environment(fpu_of(cpu), layout, bytes);
    get_registers(fpu_of(cpu), layout.environment(), bytes);
    finish_control(cpu, op);
    return true;
}

// --- control and status words -------------------------------------------------------------------

// The 387 executes fninit and fnclex even while it is busy (387 manual, FNINIT, recalled).
bool fninit(Processor& cpu, const Op& op) {
    if (!fpu_available(cpu)) return false;
    fpu_of(cpu).initialise();
    finish_control(cpu, op);
    return true;
}
bool fnclex(Processor& cpu, const Op& op) {
    if (!fpu_available(cpu)) return false;
    fpu_of(cpu).flags &= kConditionCodes;
    finish_control(cpu, op);
    return true;
}

bool fldcw(Processor& cpu, const Op& op) {
    std::uint32_t word;
    if (!begin_float(cpu) || !cpu.read<2>(op, effective_address(cpu.regs(), op), word))
        return false;
    fpu_of(cpu).set_control_word(word);
    finish_control(cpu, op);
    return true;
}

bool fnstcw(Processor& cpu, const Op& op) {
    if (!begin_control(cpu) ||
        !cpu.write<2>(op, effective_address(cpu.regs(), op), fpu_of(cpu).control))
        return false;
    finish_control(cpu, op);
    return true;
}

bool fnstsw(Processor& cpu, const Op& op) {
    if (!begin_control(cpu) ||
        !cpu.write<2>(op, effective_address(cpu.regs(), op), fpu_of(cpu).status_word()))
        return false;
    finish_control(cpu, op);
    return true;
}

bool fnstsw_ax(Processor& cpu, const Op& op) {
    if (!begin_control(cpu)) return false;
    cpu.regs().set<2>(eax, fpu_of(cpu).status_word());
    finish_control(cpu, op);
    return true;
}

// --- the register stack -------------------------------------------------------------------------

template <int Step>
bool move_top(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    Fpu& fpu = fpu_of(cpu);
    fpu.top = static_cast<std::uint8_t>((fpu.top + Step) & 7);
    fpu.report(fpu.environment());
    finish_float(cpu, op);
    return true;
}

// ffreep, which is in no manual, also pops.
template <bool Pops>
bool ffree(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    Fpu& fpu = fpu_of(cpu);
    fpu.release(other_register(op));
    if (Pops) fpu.pop();
    fpu.report(fpu.environment());
    finish_float(cpu, op);
    return true;
}

bool fnop(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    finish_float(cpu, op);
    return true;
}

// feni, fdisi and fsetpm of the 8087 and 80287.
bool nothing(Processor& cpu, const Op& op) {
    if (!begin_control(cpu)) return false;
    finish_control(cpu, op);
    return true;
}

// fwait is an instruction of the processor: it raises #NM only if both MP and TS are set (PRM
// 11.2), and gives the coprocessor no work.
bool fwait(Processor& cpu, const Op&) {
    constexpr std::uint32_t kBoth = cr0::kMonitor | cr0::kTaskSwitched;
    if ((cpu.system().cr0 & kBoth) == kBoth) return cpu.raise(Fault::no_coprocessor);
    await_fpu(cpu);
    return !fpu_of(cpu).error() || cpu.raise(Fault::coprocessor_error);
}

}  // namespace

Routine find_float_control(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_FNINIT, fninit},
        {ZYDIS_MNEMONIC_FNCLEX, fnclex},
        {ZYDIS_MNEMONIC_FLDCW, fldcw},
        {ZYDIS_MNEMONIC_FNSTCW, fnstcw},
        {ZYDIS_MNEMONIC_FNSTSW, by_place<fnstsw, fnstsw_ax>},
        {ZYDIS_MNEMONIC_FNSTENV, fnstenv},
        {ZYDIS_MNEMONIC_FLDENV, fldenv},
        {ZYDIS_MNEMONIC_FNSAVE, fnsave},
        {ZYDIS_MNEMONIC_FRSTOR, frstor},
        {ZYDIS_MNEMONIC_FINCSTP, move_top<1>},
        {ZYDIS_MNEMONIC_FDECSTP, move_top<-1>},
        {ZYDIS_MNEMONIC_FFREE, ffree<false>},
        {ZYDIS_MNEMONIC_FFREEP, ffree<true>},
        {ZYDIS_MNEMONIC_FNOP, fnop},
        {ZYDIS_MNEMONIC_FENI8087_NOP, nothing},
        {ZYDIS_MNEMONIC_FDISI8087_NOP, nothing},
        {ZYDIS_MNEMONIC_FSETPM287_NOP, nothing},
        {ZYDIS_MNEMONIC_FWAIT, fwait},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
