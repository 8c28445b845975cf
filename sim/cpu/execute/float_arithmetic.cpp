// SPDX-License-Identifier: MIT
// The 80387's arithmetic: fadd fsub fsubr fmul fdiv fdivr in all forms; and instructions on ST(0)
// alone or with ST(1): fsqrt fscale fprem fprem1 frndint fxtract fabs fchs.
#include "sim/cpu/execute/float_operands.h"

namespace symsim {
namespace {

using Binary = Float80 (*)(Environment&, Float80, Float80);

Float80 subtract_reversed(Environment& env, Float80 a, Float80 b) {
    return subtract(env, b, a);
}
Float80 divide_reversed(Environment& env, Float80 a, Float80 b) {
    return divide(env, b, a);
}

template <Binary Operation, bool Pops>
bool with_register(Processor& cpu, const Op& op) {
    return replace<Operation>(cpu, op, op.dst, op.src, Pops);
}

// Reports a denormal operand from memory, after the operation: the operand was normalised when it
// was read, so the operation did not see a denormal. An invalid operation, a zero divide and a NaN
// have precedence. An unmasked denormal exception is the only one reported.
void report_widened(Environment& env, const Widened& number, Float80 other) {
    if (!number.denormal || other.is_nan() || env.raised & (kInvalid | kZeroDivide)) return;
    if (env.raise(kDenormal)) return;
    env.raised = kDenormal;
    env.rounded_up = false;
}

template <Binary Operation, class Type>
bool with_memory(Processor& cpu, const Op& op) {
    Widened number;
    if (!begin_float(cpu) || !read_float<Type>(cpu, op, number)) return false;
    Fpu& fpu = fpu_of(cpu);
    Environment env = fpu.environment();
    Float80 result = Float80::indefinite();
    if (fpu.is_empty(0)) {
        stack_fault(env, false);
    } else {
        result = Operation(env, fpu.st(0), number.value);
        report_widened(env, number, fpu.st(0));
    }
    commit(fpu, env, 0, result, false);
    finish_float_memory(cpu, op);
    return true;
}

Float80 absolute(Environment&, Float80 a) {
    return a.absolute();
}
Float80 negated(Environment&, Float80 a) {
    return a.negated();
}

bool fscale(Processor& cpu, const Op& op) {
    return replace<scale>(cpu, op, 0, 1, false);
}

// C0, C3 and C1 get bits 2, 1 and 0 of the quotient. C2 is set if the reduction is incomplete.
template <Quotient Kind>
bool fprem(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    Fpu& fpu = fpu_of(cpu);
    Environment env = fpu.environment();
    Remainder r;
    r.value = Float80::indefinite();
    if (fpu.is_empty(0) || fpu.is_empty(1))
        stack_fault(env, false);
    else
        r = remainder(env, fpu.st(0), fpu.st(1), Kind);
    // If there is no quotient, C0 and C3 are unchanged.
    std::uint16_t codes = r.numeric ? 0 : fpu.flags & (kC0 | kC3);
    if (r.partial) codes |= kC2;
    if (r.quotient & 1) codes |= kC1;
    if (r.quotient & 2) codes |= kC3;
    if (r.quotient & 4) codes |= kC0;
    commit(fpu, env, 0, r.value, false);
    fpu.set_codes(codes);
    finish_float(cpu, op);
    return true;
}

FloatPair exponent_and_significand(Environment& env, Float80 a) {
    const Extracted e = extract(env, a);
    return {e.exponent, e.significand};
}
template <Binary Operation, bool Integer>
Routine find_with_memory(const Shape& shape) {
    if (shape.form != Form::m) return with_register<Operation, false>;
    if (Integer)
        return shape.size == 2 ? with_memory<Operation, Int16> : with_memory<Operation, Int32>;
    return shape.size == 4 ? with_memory<Operation, Single> : with_memory<Operation, Double>;
}

}  // namespace

Routine find_float_arithmetic(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_FADD, find_with_memory<add, false>},
        {ZYDIS_MNEMONIC_FIADD, find_with_memory<add, true>},
        {ZYDIS_MNEMONIC_FADDP, with_register<add, true>},
        {ZYDIS_MNEMONIC_FSUB, find_with_memory<subtract, false>},
        {ZYDIS_MNEMONIC_FISUB, find_with_memory<subtract, true>},
        {ZYDIS_MNEMONIC_FSUBP, with_register<subtract, true>},
        {ZYDIS_MNEMONIC_FSUBR, find_with_memory<subtract_reversed, false>},
        {ZYDIS_MNEMONIC_FISUBR, find_with_memory<subtract_reversed, true>},
        {ZYDIS_MNEMONIC_FSUBRP, with_register<subtract_reversed, true>},
        {ZYDIS_MNEMONIC_FMUL, find_with_memory<multiply, false>},
        {ZYDIS_MNEMONIC_FIMUL, find_with_memory<multiply, true>},
        {ZYDIS_MNEMONIC_FMULP, with_register<multiply, true>},
        {ZYDIS_MNEMONIC_FDIV, find_with_memory<divide, false>},
        {ZYDIS_MNEMONIC_FIDIV, find_with_memory<divide, true>},
        {ZYDIS_MNEMONIC_FDIVP, with_register<divide, true>},
        {ZYDIS_MNEMONIC_FDIVR, find_with_memory<divide_reversed, false>},
        {ZYDIS_MNEMONIC_FIDIVR, find_with_memory<divide_reversed, true>},
        {ZYDIS_MNEMONIC_FDIVRP, with_register<divide_reversed, true>},
        {ZYDIS_MNEMONIC_FSQRT, replace_top<square_root>},
        {ZYDIS_MNEMONIC_FRNDINT, replace_top<round_to_integral>},
        {ZYDIS_MNEMONIC_FABS, replace_top<absolute>},
        {ZYDIS_MNEMONIC_FCHS, replace_top<negated>},
        {ZYDIS_MNEMONIC_FSCALE, fscale},
        {ZYDIS_MNEMONIC_FPREM, fprem<Quotient::chopped>},
        {ZYDIS_MNEMONIC_FPREM1, fprem<Quotient::nearest>},
        {ZYDIS_MNEMONIC_FXTRACT, replace_top_by_two<exponent_and_significand>},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
