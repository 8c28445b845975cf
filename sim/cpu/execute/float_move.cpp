// SPDX-License-Identifier: MIT
// The 80387's loads, stores and constants: fld fild fbld fst fstp fist fistp fbstp fxch, fld1 and
// the other constants; and the 686's fcmovcc.
#include "sim/cpu/execute/float_operands.h"
#include "sim/cpu/fpu/constants.h"

namespace symsim {
namespace {

// Pushes the value unless an unmasked invalid operation was raised. An unmasked denormal exception
// does not prevent a load.
void push_unless_invalid(Fpu& fpu, const Environment& env, Float80 value) {
    fpu.report(env);
    if (!(env.raised & ~env.control & kInvalid)) fpu.push(value);
}

// Pushes the value, or the indefinite if `empty`: it is of an empty register.
bool push(Processor& cpu, const Op& op, Float80 value, bool empty) {
    Fpu& fpu = fpu_of(cpu);
    Environment env = fpu.environment();
    const bool fault = !fpu.is_empty(7) || empty;
    if (fault) stack_fault(env, !empty);
    push_unless_invalid(fpu, env, fault ? Float80::indefinite() : value);
    finish_float(cpu, op);
    return true;
}
template <class Type>
bool load(Processor& cpu, const Op& op) {
    Widened number;
    if (!begin_float(cpu) || !read_float<Type>(cpu, op, number)) return false;
    Fpu& fpu = fpu_of(cpu);
    Environment env = fpu.environment();
    Float80 value = Float80::indefinite();
    if (!fpu.is_empty(7))
        stack_fault(env, true);
    else if (Type::kSize == 10)
        value = number.value;  // unchanged, without exceptions
    else
        value = loaded(env, number);
    push_unless_invalid(fpu, env, value);
    finish_float_memory(cpu, op);
    return true;
}

bool load_register(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    const Fpu& fpu = fpu_of(cpu);
    const unsigned other = other_register(op);
    return push(cpu, op, fpu.st(other), fpu.is_empty(other));
}

template <FloatConstant Which>
bool load_constant(Processor& cpu, const Op& op) {
    return begin_float(cpu) && push(cpu, op, constant(fpu_of(cpu).environment(), Which), false);
}

// The conversion of a register's value to a format in memory. False: an unmasked exception leaves
// memory unchanged.
template <unsigned Bytes, Stored (*Convert)(Environment&, Float80)>
struct StoreAs {
    static constexpr unsigned kSize = Bytes;
    static bool narrow(Environment& env, Float80 value, FloatBytes& bytes) {
        const Stored stored = Convert(env, value);
        put_bytes<Bytes>(bytes, 0, stored.bits);
        return stored.stores;
    }
};
using StoreSingle = StoreAs<4, to_single>;
using StoreDouble = StoreAs<8, to_double>;
template <unsigned Bytes>
Stored to_integer_of(Environment& env, Float80 value) {
    return to_integer(env, value, 8 * Bytes);
}
template <unsigned Bytes>
using StoreInteger = StoreAs<Bytes, to_integer_of<Bytes>>;
struct StoreExtended {
    static constexpr unsigned kSize = 10;
    static bool narrow(Environment&, Float80 value, FloatBytes& bytes) {
        put_bytes<8>(bytes, 0, value.significand);
        put_bytes<2>(bytes, 8, value.sign_exponent);
        return true;
    }
};
struct StoreDecimal {
    static constexpr unsigned kSize = 10;
    static bool narrow(Environment& env, Float80 value, FloatBytes& bytes) {
        const PackedDecimal digits = to_decimal(env, value);
        std::copy(digits.begin(), digits.end(), bytes.begin());
        return !env.refused();
    }
};

// If ST(0) is empty and the invalid operation is masked, the indefinite of the format is stored.
template <class Type, bool Pops>
bool store(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    Fpu& fpu = fpu_of(cpu);
    Environment env = fpu.environment();
    FloatBytes bytes;
    bool stores;
    if (fpu.is_empty(0)) {
        stores = stack_fault(env, false);
        if (stores) {
            Environment apart = env;
            Type::narrow(apart, Float80::indefinite(), bytes);
        }
    } else {
        stores = Type::narrow(env, fpu.st(0), bytes);
    }
    if (stores && !write_float_bytes(cpu, op, Type::kSize, bytes)) return false;
    fpu.report(env);
    if (stores && Pops) fpu.pop();
    wait_for_result(cpu, op);
    finish_float_memory(cpu, op);
    return true;
}

template <bool Pops>
bool store_register(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    Fpu& fpu = fpu_of(cpu);
    Environment env = fpu.environment();
    const bool empty = fpu.is_empty(0);
    if (empty) stack_fault(env, false);
    commit(fpu, env, other_register(op), empty ? Float80::indefinite() : fpu.st(0), Pops);
    finish_float(cpu, op);
    return true;
}

bool exchange(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    Fpu& fpu = fpu_of(cpu);
    Environment env = fpu.environment();
    const Float80 indefinite = Float80::indefinite();
    const Float80 top = fpu.is_empty(0) ? indefinite : fpu.st(0);
    const Float80 other =
        fpu.is_empty(other_register(op)) ? indefinite : fpu.st(other_register(op));
    if (fpu.is_empty(0) || fpu.is_empty(other_register(op))) stack_fault(env, false);
    fpu.report(env);
    if (!env.refused()) {
        fpu.set(0, other);
        fpu.set(other_register(op), top);
    }
    finish_float(cpu, op);
    return true;
}

// ST(0) becomes ST(i) if the processor's flags meet the condition, as jcc encodes it. C1 changes
// only in a stack fault.
template <unsigned Condition>
bool move_if(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    Fpu& fpu = fpu_of(cpu);
    const unsigned other = other_register(op);
    if (fpu.is_empty(0) || fpu.is_empty(other)) {
        Environment env = fpu.environment();
        stack_fault(env, false);
        commit(fpu, env, 0, Float80::indefinite(), false);
    } else if (cpu.flags().condition(Condition)) {
        fpu.set(0, fpu.st(other));
    }
    finish_float(cpu, op);
    return true;
}

template <bool Pops>
Routine find_store(const Shape& shape) {
    if (shape.form != Form::m) return store_register<Pops>;
    if (shape.size == 4) return store<StoreSingle, Pops>;
    return shape.size == 8 ? store<StoreDouble, Pops> : store<StoreExtended, Pops>;
}

Routine find_load(const Shape& shape) {
    if (shape.form != Form::m) return load_register;
    if (shape.size == 4) return load<Single>;
    return shape.size == 8 ? load<Double> : load<Extended>;
}

Routine find_integer_load(const Shape& shape) {
    if (shape.size == 2) return load<Int16>;
    return shape.size == 4 ? load<Int32> : load<Int64>;
}

template <bool Pops>
Routine find_integer_store(const Shape& shape) {
    if (shape.size == 2) return store<StoreInteger<2>, Pops>;
    return shape.size == 4 ? store<StoreInteger<4>, Pops> : store<StoreInteger<8>, Pops>;
}

}  // namespace

Routine find_float_move(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_FLD, find_load},
        {ZYDIS_MNEMONIC_FILD, find_integer_load},
        {ZYDIS_MNEMONIC_FBLD, load<Decimal>},
        {ZYDIS_MNEMONIC_FST, find_store<false>},
        {ZYDIS_MNEMONIC_FSTP, find_store<true>},
        {ZYDIS_MNEMONIC_FSTPNCE, find_store<true>},  // d9 d8, undocumented
        {ZYDIS_MNEMONIC_FIST, find_integer_store<false>},
        {ZYDIS_MNEMONIC_FISTP, find_integer_store<true>},
        {ZYDIS_MNEMONIC_FBSTP, store<StoreDecimal, true>},
        {ZYDIS_MNEMONIC_FXCH, exchange},
        {ZYDIS_MNEMONIC_FCMOVB, move_if<2>},
        {ZYDIS_MNEMONIC_FCMOVNB, move_if<3>},
        {ZYDIS_MNEMONIC_FCMOVE, move_if<4>},
        {ZYDIS_MNEMONIC_FCMOVNE, move_if<5>},
        {ZYDIS_MNEMONIC_FCMOVBE, move_if<6>},
        {ZYDIS_MNEMONIC_FCMOVNBE, move_if<7>},
        {ZYDIS_MNEMONIC_FCMOVU, move_if<10>},
        {ZYDIS_MNEMONIC_FCMOVNU, move_if<11>},
        {ZYDIS_MNEMONIC_FLD1, load_constant<FloatConstant::one>},
        {ZYDIS_MNEMONIC_FLDL2T, load_constant<FloatConstant::log2_of_10>},
        {ZYDIS_MNEMONIC_FLDL2E, load_constant<FloatConstant::log2_of_e>},
        {ZYDIS_MNEMONIC_FLDPI, load_constant<FloatConstant::pi>},
        {ZYDIS_MNEMONIC_FLDLG2, load_constant<FloatConstant::log10_of_2>},
        {ZYDIS_MNEMONIC_FLDLN2, load_constant<FloatConstant::ln_of_2>},
        {ZYDIS_MNEMONIC_FLDZ, load_constant<FloatConstant::zero>},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
