// SPDX-License-Identifier: MIT
// The 80387's loads, stores and constants against the host's x87: the value, the exceptions and C1
// must be the same.
#include "sim/cpu/fpu/convert.h"

#include <gtest/gtest.h>

#include <cstring>

#include "sim/cpu/fpu/constants.h"
#include "tests/cpu/fpu_host.h"
#include "tests/cpu/fpu_operands.h"

#ifdef SYMSIM_HOST_X87

namespace symsim::test {
namespace {

using FpuConversion = HostX87Test;

SYMSIM_HOST_X87_OP(host_store_single, "fsts 48(%0)")
SYMSIM_HOST_X87_OP(host_store_double, "fstl 48(%0)")
SYMSIM_HOST_X87_OP(host_store_int16, "fists 48(%0)")
SYMSIM_HOST_X87_OP(host_store_int32, "fistl 48(%0)")
SYMSIM_HOST_X87_OP(host_store_int64, "fistpll 48(%0)")
SYMSIM_HOST_X87_OP(host_store_decimal, "fbstp 48(%0)")
SYMSIM_HOST_X87_OP(host_load_single, "flds 48(%0)")
SYMSIM_HOST_X87_OP(host_load_double, "fldl 48(%0)")
SYMSIM_HOST_X87_OP(host_load_int16, "filds 48(%0)")
SYMSIM_HOST_X87_OP(host_load_int32, "fildl 48(%0)")
SYMSIM_HOST_X87_OP(host_load_int64, "fildll 48(%0)")
SYMSIM_HOST_X87_OP(host_load_decimal, "fbld 48(%0)")
SYMSIM_HOST_X87_OP(host_one, "fld1")
SYMSIM_HOST_X87_OP(host_l2t, "fldl2t")
SYMSIM_HOST_X87_OP(host_l2e, "fldl2e")
SYMSIM_HOST_X87_OP(host_pi, "fldpi")
SYMSIM_HOST_X87_OP(host_lg2, "fldlg2")
SYMSIM_HOST_X87_OP(host_ln2, "fldln2")
SYMSIM_HOST_X87_OP(host_zero, "fldz")

using HostOp = void (*)(HostX87&);
using Memory = std::array<std::uint8_t, 10>;
constexpr unsigned kCount = 300'000;
constexpr std::uint16_t kC1 = 0x200;
constexpr std::uint8_t kUntouched = 0xa5;

unsigned told(const Environment& env) {
    return env.raised | (env.rounded_up ? kC1 : 0u);
}

// Compares a store for random values and control words. `store` executes it on the simulated side
// and changes the bytes of memory.
template <class Store>
void expect_same_stores(const char* name, HostOp host, Store store) {
    FloatOperands operands(kFpuSeed);
    unsigned wrong = 0;
    const auto check = [&](Float80 value, std::uint16_t control) {
        HostX87 h;
        h.load(value, Float80::one());
        h.control = control;
        std::memset(h.memory, kUntouched, sizeof h.memory);
        host(h);
        Memory right;
        std::copy_n(h.memory, right.size(), right.begin());
        Environment env;
        env.control = control;
        Memory got;
        got.fill(kUntouched);
        store(env, value, got);
        const unsigned status = h.status() & (kFloatExceptions | kC1);
        if (got == right && told(env) == status) return;
        if (++wrong > 10) return;
        std::uint64_t a, b;
        std::memcpy(&a, right.data(), 8);
        std::memcpy(&b, got.data(), 8);
        ADD_FAILURE() << name << " control " << std::hex << control << ": " << value.sign_exponent
                      << ':' << value.significand << "\n  host " << a << " status " << status
                      << "\n  simulated " << b << " status " << told(env) << "\n  seed " << std::dec
                      << kFpuSeed;
    };
    for (unsigned n = 0; n < kCount; ++n) check(operands.any(), operands.control());
    for (const Float80& end : FloatOperands::boundaries()) {
        for (unsigned rounding = 0; rounding < 4; ++rounding)
            check(end, static_cast<std::uint16_t>(0x37f | rounding << 10));
    }
    EXPECT_EQ(wrong, 0u) << name;
}

template <unsigned Bytes>
void put(const Stored& stored, Memory& memory) {
    if (stored.stores) std::memcpy(memory.data(), &stored.bits, Bytes);
}

TEST_F(FpuConversion, StoresSingleAndDouble) {
    expect_same_stores("fst m32", host_store_single, [](Environment& env, Float80 v, Memory& m) {
        put<4>(to_single(env, v), m);
    });
    expect_same_stores("fst m64", host_store_double, [](Environment& env, Float80 v, Memory& m) {
        put<8>(to_double(env, v), m);
    });
}

TEST_F(FpuConversion, StoresIntegers) {
    expect_same_stores("fist m16", host_store_int16, [](Environment& env, Float80 v, Memory& m) {
        put<2>(to_integer(env, v, 16), m);
    });
    expect_same_stores("fist m32", host_store_int32, [](Environment& env, Float80 v, Memory& m) {
        put<4>(to_integer(env, v, 32), m);
    });
    expect_same_stores("fistp m64", host_store_int64, [](Environment& env, Float80 v, Memory& m) {
        put<8>(to_integer(env, v, 64), m);
    });
}

TEST_F(FpuConversion, StoresDecimals) {
    expect_same_stores("fbstp", host_store_decimal, [](Environment& env, Float80 v, Memory& m) {
        const PackedDecimal digits = to_decimal(env, v);
        if (!env.refused()) m = digits;
    });
}

// Compares a load for random operands. `load` returns the register that the simulated 80387 loads;
// `make` makes the memory operand.
template <class Load, class Make>
void expect_same_loads(const char* name, HostOp host, Load load, Make make) {
    FloatOperands operands(kFpuSeed);
    unsigned wrong = 0;
    for (unsigned n = 0; n < kCount; ++n) {
        HostX87 h;
        h.load(Float80::one(), Float80::zero());
        h.control = operands.control();
        const Memory memory = make(operands);
        std::copy(memory.begin(), memory.end(), h.memory);
        host(h);
        Environment env;
        env.control = h.control;
        const Float80 got = load(env, memory);
        const unsigned status = h.status() & (kFloatExceptions | kC1);
        // An unmasked invalid operation leaves ST(0) as it was. A denormal is loaded even if its
        // exception is unmasked.
        const bool kept = env.raised & ~env.control & kInvalid;
        if (told(env) == status && h.st(0) == (kept ? Float80::one() : got)) continue;
        if (++wrong > 10) continue;
        std::uint64_t bits;
        std::memcpy(&bits, memory.data(), 8);
        ADD_FAILURE() << name << ' ' << std::hex << bits << " control " << h.control << "\n  host "
                      << h.st(0).sign_exponent << ':' << h.st(0).significand << " status " << status
                      << "\n  simulated " << got.sign_exponent << ':' << got.significand
                      << " status " << told(env) << "\n  seed " << std::dec << kFpuSeed;
    }
    EXPECT_EQ(wrong, 0u) << name;
}

template <class T>
T taken(const Memory& memory) {
    T value;
    std::memcpy(&value, memory.data(), sizeof value);
    return value;
}

// Random bits with an exponent field of `exponent_bits` bits above `fraction_bits` bits. In a
// quarter of the operands the field is all zeros, in a quarter all ones.
Memory random_float(FloatOperands& operands, unsigned fraction_bits, unsigned exponent_bits) {
    std::uint64_t bits = operands.significand();
    const std::uint64_t field = ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits;
    if (operands.below(4) == 0) bits &= ~field;
    if (operands.below(4) == 0) bits |= field;
    Memory memory{};
    std::memcpy(memory.data(), &bits, 8);
    return memory;
}

TEST_F(FpuConversion, LoadsSingleAndDouble) {
    expect_same_loads(
        "fld m32", host_load_single,
        [](Environment& env, const Memory& m) {
            return loaded(env, widen_single(taken<std::uint32_t>(m)));
        },
        [](FloatOperands& operands) { return random_float(operands, 23, 8); });
    expect_same_loads(
        "fld m64", host_load_double,
        [](Environment& env, const Memory& m) {
            return loaded(env, widen_double(taken<std::uint64_t>(m)));
        },
        [](FloatOperands& operands) { return random_float(operands, 52, 11); });
}

TEST_F(FpuConversion, LoadsIntegers) {
    const auto any = [](FloatOperands& operands) { return random_float(operands, 0, 1); };
    expect_same_loads(
        "fild m16", host_load_int16,
        [](Environment&, const Memory& m) { return from_integer(taken<std::int16_t>(m)); }, any);
    expect_same_loads(
        "fild m32", host_load_int32,
        [](Environment&, const Memory& m) { return from_integer(taken<std::int32_t>(m)); }, any);
    expect_same_loads(
        "fild m64", host_load_int64,
        [](Environment&, const Memory& m) { return from_integer(taken<std::int64_t>(m)); }, any);
}

// The manual leaves digits above 9 undefined, so they are not tested.
TEST_F(FpuConversion, LoadsDecimals) {
    expect_same_loads(
        "fbld", host_load_decimal, [](Environment&, const Memory& m) { return from_decimal(m); },
        [](FloatOperands& operands) {
            Memory memory{};
            const unsigned digits = operands.below(19);
            for (unsigned n = 0; n < digits; ++n)
                memory[n / 2] |= static_cast<std::uint8_t>(operands.below(10) << 4 * (n % 2));
            memory[9] = operands.below(2) ? 0x80 : 0;
            return memory;
        });
}

TEST_F(FpuConversion, ConstantsAreRoundedAsTheControlWordSays) {
    static constexpr HostOp kHost[] = {host_one, host_l2t, host_l2e, host_pi,
                                       host_lg2, host_ln2, host_zero};
    for (unsigned n = 0; n < 7; ++n) {
        for (unsigned rounding = 0; rounding < 4; ++rounding) {
            for (const unsigned precision : {0x000u, 0x200u, 0x300u}) {
                HostX87 h;
                h.control = static_cast<std::uint16_t>(0x7f | rounding << 10 | precision);
                kHost[n](h);
                Environment env;
                env.control = h.control;
                EXPECT_EQ(constant(env, static_cast<FloatConstant>(n)).significand,
                          h.st(0).significand)
                    << n << " rounding " << rounding;
                EXPECT_EQ(constant(env, static_cast<FloatConstant>(n)).sign_exponent,
                          h.st(0).sign_exponent);
            }
        }
    }
}

}  // namespace
}  // namespace symsim::test

#endif
