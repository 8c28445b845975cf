// SPDX-License-Identifier: MIT
// Comparisons: the 80387's fcom fucom ficom, their popping forms, ftst, fxam; the 686's fcomi.
#include "sim/cpu/execute/float_operands.h"

namespace symsim {
namespace {

std::uint16_t codes_of(Ordering o) {
    switch (o) {
        case Ordering::greater:
            return 0;
        case Ordering::less:
            return kC0;
        case Ordering::equal:
            return kC3;
        default:
            return kC0 | kC2 | kC3;
    }
}

// The condition codes are always set. An unmasked exception prevents the pops.
void commit(Fpu& fpu, const Environment& env, Ordering order, unsigned pops) {
    fpu.report(env);
    fpu.set_codes(codes_of(order));
    if (env.refused()) return;
    while (pops-- > 0) fpu.pop();
}

// Compares ST(0) with `other`. `fault`: `other` is of an empty register.
Ordering compare_top(const Fpu& fpu, Environment& env, Float80 other, bool fault, NanRule rule) {
    if (!fpu.is_empty(0) && !fault) return compare(env, fpu.st(0), other, rule);
    stack_fault(env, false);
    return Ordering::unordered;
}

// fcompp and fucompp name no register, but ST(1) is encoded in their opcodes.
template <NanRule Rule, unsigned Pops>
bool with_register(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    Fpu& fpu = fpu_of(cpu);
    Environment env = fpu.environment();
    const unsigned other = other_register(op);
    commit(fpu, env, compare_top(fpu, env, fpu.st(other), fpu.is_empty(other), Rule), Pops);
    finish_float(cpu, op);
    return true;
}
// fcomi and its kind: the condition codes go to the processor's flags, C0 to CF, C2 to PF, C3 to
// ZF. The other arithmetic flags are cleared. As in fcom, an unmasked exception prevents only the
// pop.
template <NanRule Rule, unsigned Pops>
bool to_flags(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    Fpu& fpu = fpu_of(cpu);
    Environment env = fpu.environment();
    const unsigned other = other_register(op);
    const unsigned codes =
        codes_of(compare_top(fpu, env, fpu.st(other), fpu.is_empty(other), Rule));
    fpu.report(env);
    cpu.flags().set(Flags::kArithmetic, (codes & kC0 ? +Flags::kCarry : 0u) |
                                            (codes & kC2 ? +Flags::kParity : 0u) |
                                            (codes & kC3 ? +Flags::kZero : 0u));
    if (Pops > 0 && !env.refused()) fpu.pop();
    finish_float(cpu, op);
    return true;
}
template <class Type, unsigned Pops>
bool with_memory(Processor& cpu, const Op& op) {
    Widened number;
    if (!begin_float(cpu) || !read_float<Type>(cpu, op, number)) return false;
    Fpu& fpu = fpu_of(cpu);
    Environment env = fpu.environment();
    Ordering order = Ordering::unordered;
    if (fpu.is_empty(0)) {
        stack_fault(env, false);
    } else {
        order = compare(env, fpu.st(0), number.value, NanRule::any_invalid);
        if (number.denormal && !(env.raised & kInvalid)) env.raise(kDenormal);
    }
    commit(fpu, env, order, Pops);
    finish_float_memory(cpu, op);
    return true;
}

bool ftst(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    Fpu& fpu = fpu_of(cpu);
    Environment env = fpu.environment();
    commit(fpu, env, compare_top(fpu, env, Float80::zero(), false, NanRule::any_invalid), 0);
    finish_float(cpu, op);
    return true;
}

std::uint16_t class_of(const Fpu& fpu) {
    const Float80 f = fpu.st(0);
    if (fpu.is_empty(0)) return kC3 | kC0;
    if (f.is_unsupported()) return 0;
    if (f.is_nan()) return kC0;
    if (f.is_infinite()) return kC2 | kC0;
    if (f.is_zero()) return kC3;
    return f.is_denormal() ? kC3 | kC2 : kC2;
}

bool fxam(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    Fpu& fpu = fpu_of(cpu);
    fpu.set_codes(static_cast<std::uint16_t>(class_of(fpu) | (fpu.st(0).sign() ? kC1 : 0)));
    finish_float(cpu, op);
    return true;
}

template <unsigned Pops>
Routine find_fcom(const Shape& shape) {
    if (shape.form != Form::m) return with_register<NanRule::any_invalid, Pops>;
    return shape.size == 4 ? with_memory<Single, Pops> : with_memory<Double, Pops>;
}
template <unsigned Pops>
Routine find_ficom(const Shape& shape) {
    return shape.size == 2 ? with_memory<Int16, Pops> : with_memory<Int32, Pops>;
}

}  // namespace

Routine find_float_compare(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_FCOM, find_fcom<0>},
        {ZYDIS_MNEMONIC_FCOMP, find_fcom<1>},
        {ZYDIS_MNEMONIC_FCOMPP, with_register<NanRule::any_invalid, 2>},
        {ZYDIS_MNEMONIC_FUCOM, with_register<NanRule::signalling_invalid, 0>},
        {ZYDIS_MNEMONIC_FUCOMP, with_register<NanRule::signalling_invalid, 1>},
        {ZYDIS_MNEMONIC_FUCOMPP, with_register<NanRule::signalling_invalid, 2>},
        {ZYDIS_MNEMONIC_FCOMI, to_flags<NanRule::any_invalid, 0>},
        {ZYDIS_MNEMONIC_FCOMIP, to_flags<NanRule::any_invalid, 1>},
        {ZYDIS_MNEMONIC_FUCOMI, to_flags<NanRule::signalling_invalid, 0>},
        {ZYDIS_MNEMONIC_FUCOMIP, to_flags<NanRule::signalling_invalid, 1>},
        {ZYDIS_MNEMONIC_FICOM, find_ficom<0>},
        {ZYDIS_MNEMONIC_FICOMP, find_ficom<1>},
        {ZYDIS_MNEMONIC_FTST, ftst},
        {ZYDIS_MNEMONIC_FXAM, fxam},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
