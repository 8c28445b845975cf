// SPDX-License-Identifier: MIT
// The 80387's loads, stores and constants: fld fild fbld fst fstp fist fistp fbstp fxch, and fld1
// and the other constants.
#include "sim/cpu/execute/float_operands.h"
#include "sim/cpu/fpu/constants.h"

namespace symsim {
namespace {

// Pushes the value unless an unmasked invalid operation was raised. An unmasked denormal exception
// does not prevent a load.
bool push_unless_invalid(Fpu& fpu, const Environment& env, Float80 value) {
    fpu.report(env);
    const bool pushes = !(env.raised & ~env.control & kInvalid);
    if (pushes) fpu.push(value);
    return pushes;
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
    Fpu& fpu = fpu_of(cpu);
    Environment env = fpu.environment();
    Float80 value = Float80::indefinite();
    if (!fpu.is_empty(7) || fpu.is_empty(other_register(op)))
        stack_fault(env, !fpu.is_empty(other_register(op)));
    else
        value = fpu.st(other_register(op));
    push_unless_invalid(fpu, env, value);
    finish_float(cpu, op);
    return true;
}

template <FloatConstant Which>
bool load_constant(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    Fpu& fpu = fpu_of(cpu);
    Environment env = fpu.environment();
    Float80 value = Float80::indefinite();
    if (!fpu.is_empty(7))
        stack_fault(env, true);
    else
        value = constant(env, Which);
    push_unless_invalid(fpu, env, value);
    finish_float(cpu, op);
    return true;
}

// The conversion of a register's value to a format in memory. False: an unmasked exception leaves
// memory unchanged.
struct StoreSingle {
    static constexpr unsigned kSize = 4;
    static bool narrow(Environment& env, Float80 value, FloatBytes& bytes) {
        const Stored stored = to_single(env, value);
        put_bytes<4>(bytes, 0, stored.bits);
        return stored.stores;
    }
};
struct StoreDouble {
    static constexpr unsigned kSize = 8;
    static bool narrow(Environment& env, Float80 value, FloatBytes& bytes) {
        const Stored stored = to_double(env, value);
        put_bytes<8>(bytes, 0, stored.bits);
        return stored.stores;
    }
};
struct StoreExtended {
    static constexpr unsigned kSize = 10;
    static bool narrow(Environment&, Float80 value, FloatBytes& bytes) {
        put_bytes<8>(bytes, 0, value.significand);
        put_bytes<2>(bytes, 8, value.sign_exponent);
        return true;
    }
};
template <unsigned Bytes>
struct StoreInteger {
    static constexpr unsigned kSize = Bytes;
    static bool narrow(Environment& env, Float80 value, FloatBytes& bytes) {
        const Stored stored = to_integer(env, value, 8 * Bytes);
        put_bytes<Bytes>(bytes, 0, stored.bits);
        return stored.stores;
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
    Float80 value = Float80::indefinite();
    bool stores = true;
    if (fpu.is_empty(0))
        stores = stack_fault(env, false);
    else
        value = fpu.st(0);
    fpu.report(env);
    if (stores) {
        fpu.set(other_register(op), value);
        if (Pops) fpu.pop();
    }
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

template <bool Pops>
Routine find_store(const Shape& shape) {
    if (shape.form != Form::m) return store_register<Pops>;
    if (shape.size == 4) return store<StoreSingle, Pops>;
    return shape.size == 8 ? store<StoreDouble, Pops> : store<StoreExtended, Pops>;
}

}  // namespace

Routine find_float_move(const Shape& shape) {
    switch (shape.mnemonic) {
        case ZYDIS_MNEMONIC_FLD:
            if (shape.form != Form::m) return load_register;
            if (shape.size == 4) return load<Single>;
            return shape.size == 8 ? load<Double> : load<Extended>;
        case ZYDIS_MNEMONIC_FILD:
            if (shape.size == 2) return load<Int16>;
            return shape.size == 4 ? load<Int32> : load<Int64>;
        case ZYDIS_MNEMONIC_FBLD:
            return load<Decimal>;
        case ZYDIS_MNEMONIC_FST:
            return find_store<false>(shape);
        case ZYDIS_MNEMONIC_FSTP:
        case ZYDIS_MNEMONIC_FSTPNCE:  // d9 d8, undocumented
            return find_store<true>(shape);
        case ZYDIS_MNEMONIC_FIST:
            return shape.size == 2 ? store<StoreInteger<2>, false> : store<StoreInteger<4>, false>;
        case ZYDIS_MNEMONIC_FISTP:
            if (shape.size == 2) return store<StoreInteger<2>, true>;
            return shape.size == 4 ? store<StoreInteger<4>, true> : store<StoreInteger<8>, true>;
        case ZYDIS_MNEMONIC_FBSTP:
            return store<StoreDecimal, true>;
        case ZYDIS_MNEMONIC_FXCH:
            return exchange;
        case ZYDIS_MNEMONIC_FLD1:
            return load_constant<FloatConstant::one>;
        case ZYDIS_MNEMONIC_FLDL2T:
            return load_constant<FloatConstant::log2_of_10>;
        case ZYDIS_MNEMONIC_FLDL2E:
            return load_constant<FloatConstant::log2_of_e>;
        case ZYDIS_MNEMONIC_FLDPI:
            return load_constant<FloatConstant::pi>;
        case ZYDIS_MNEMONIC_FLDLG2:
            return load_constant<FloatConstant::log10_of_2>;
        case ZYDIS_MNEMONIC_FLDLN2:
            return load_constant<FloatConstant::ln_of_2>;
        case ZYDIS_MNEMONIC_FLDZ:
            return load_constant<FloatConstant::zero>;
        default:
            return nullptr;
    }
}

}  // namespace symsim
