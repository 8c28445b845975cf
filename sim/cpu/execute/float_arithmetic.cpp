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

void commit(Fpu& fpu, const Environment& env, unsigned to, Float80 result, bool pops) {
    fpu.report(env);
    if (env.refused()) return;
    fpu.set(to, result);
    if (pops) fpu.pop();
}

template <Binary Operation, bool Pops>
bool binary_operation(Processor& cpu, const Op& op, unsigned to, unsigned from) {
    if (!begin_float(cpu)) return false;
    Fpu& fpu = fpu_of(cpu);
    Environment env = fpu.environment();
    Float80 result = Float80::indefinite();
    if (fpu.is_empty(to) || fpu.is_empty(from))
        stack_fault(env, false);
    else
        result = Operation(env, fpu.st(to), fpu.st(from));
    commit(fpu, env, to, result, Pops);
    finish_float(cpu, op);
    return true;
}

template <Binary Operation, bool Pops>
bool with_register(Processor& cpu, const Op& op) {
    return binary_operation<Operation, Pops>(cpu, op, op.dst, op.src);
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

template <Float80 (*Operation)(Environment&, Float80)>
bool with_top(Processor& cpu, const Op& op) {
    return begin_float(cpu) && replace_top<Operation>(cpu, op);
}

Float80 absolute(Environment&, Float80 a) {
    return a.absolute();
}
Float80 negated(Environment&, Float80 a) {
    return a.negated();
}

bool fscale(Processor& cpu, const Op& op) {
    return binary_operation<scale, false>(cpu, op, 0, 1);
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
bool fxtract(Processor& cpu, const Op& op) {
    return begin_float(cpu) && replace_top_by_two<exponent_and_significand>(cpu, op);
}

template <Binary Operation>
Routine find_with_memory(const Shape& shape, bool integer) {
    if (shape.form != Form::m) return with_register<Operation, false>;
    if (integer)
        return shape.size == 2 ? with_memory<Operation, Int16> : with_memory<Operation, Int32>;
    return shape.size == 4 ? with_memory<Operation, Single> : with_memory<Operation, Double>;
}

}  // namespace

Routine find_float_arithmetic(const Shape& shape) {
    switch (shape.mnemonic) {
        case ZYDIS_MNEMONIC_FADD:
            return find_with_memory<add>(shape, false);
        case ZYDIS_MNEMONIC_FIADD:
            return find_with_memory<add>(shape, true);
        case ZYDIS_MNEMONIC_FADDP:
            return with_register<add, true>;
        case ZYDIS_MNEMONIC_FSUB:
            return find_with_memory<subtract>(shape, false);
        case ZYDIS_MNEMONIC_FISUB:
            return find_with_memory<subtract>(shape, true);
        case ZYDIS_MNEMONIC_FSUBP:
            return with_register<subtract, true>;
        case ZYDIS_MNEMONIC_FSUBR:
            return find_with_memory<subtract_reversed>(shape, false);
        case ZYDIS_MNEMONIC_FISUBR:
            return find_with_memory<subtract_reversed>(shape, true);
        case ZYDIS_MNEMONIC_FSUBRP:
            return with_register<subtract_reversed, true>;
        case ZYDIS_MNEMONIC_FMUL:
            return find_with_memory<multiply>(shape, false);
        case ZYDIS_MNEMONIC_FIMUL:
            return find_with_memory<multiply>(shape, true);
        case ZYDIS_MNEMONIC_FMULP:
            return with_register<multiply, true>;
        case ZYDIS_MNEMONIC_FDIV:
            return find_with_memory<divide>(shape, false);
        case ZYDIS_MNEMONIC_FIDIV:
            return find_with_memory<divide>(shape, true);
        case ZYDIS_MNEMONIC_FDIVP:
            return with_register<divide, true>;
        case ZYDIS_MNEMONIC_FDIVR:
            return find_with_memory<divide_reversed>(shape, false);
        case ZYDIS_MNEMONIC_FIDIVR:
            return find_with_memory<divide_reversed>(shape, true);
        case ZYDIS_MNEMONIC_FDIVRP:
            return with_register<divide_reversed, true>;
        case ZYDIS_MNEMONIC_FSQRT:
            return with_top<square_root>;
        case ZYDIS_MNEMONIC_FRNDINT:
            return with_top<round_to_integral>;
        case ZYDIS_MNEMONIC_FABS:
            return with_top<absolute>;
        case ZYDIS_MNEMONIC_FCHS:
            return with_top<negated>;
        case ZYDIS_MNEMONIC_FSCALE:
            return fscale;
        case ZYDIS_MNEMONIC_FPREM:
            return fprem<Quotient::chopped>;
        case ZYDIS_MNEMONIC_FPREM1:
            return fprem<Quotient::nearest>;
        case ZYDIS_MNEMONIC_FXTRACT:
            return fxtract;
        default:
            return nullptr;
    }
}

}  // namespace symsim
