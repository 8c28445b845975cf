// SPDX-License-Identifier: MIT
// The 80387's arithmetic against the host's x87. The result, the exceptions and C1 (rounded up)
// must be the same for every precision, rounding mode and set of masks.
#include "sim/cpu/fpu/arithmetic.h"

#include <gtest/gtest.h>

#include <iomanip>
#include <sstream>

#include "tests/cpu/fpu_host.h"
#include "tests/cpu/fpu_hosts_agree.h"
#include "tests/cpu/fpu_operands.h"

#ifdef SYMSIM_HOST_X87

namespace symsim::test {
namespace {

using FpuArithmetic = HostX87Test;

SYMSIM_HOST_X87_OP(host_add, "fadd %%st(1), %%st")
SYMSIM_HOST_X87_OP(host_subtract, "fsub %%st(1), %%st")
SYMSIM_HOST_X87_OP(host_multiply, "fmul %%st(1), %%st")
SYMSIM_HOST_X87_OP(host_divide, "fdiv %%st(1), %%st")
SYMSIM_HOST_X87_OP(host_prem, "fprem")
SYMSIM_HOST_X87_OP(host_prem1, "fprem1")
SYMSIM_HOST_X87_OP(host_rint, "frndint")
SYMSIM_HOST_X87_OP(host_scale, "fscale")
SYMSIM_HOST_X87_OP(host_extract, "fxtract")
SYMSIM_HOST_X87_OP(host_compare, "fcom %%st(1)")
SYMSIM_HOST_X87_OP(host_unordered_compare, "fucom %%st(1)")

constexpr std::uint16_t kC0 = 0x100, kC1 = 0x200, kC2 = 0x400, kC3 = 0x4000;
constexpr std::uint16_t kCodes = kC0 | kC1 | kC2 | kC3;

// The result of an operation.
struct Outcome {
    Float80 st0;
    Float80 st1;
    std::uint16_t status = 0;  // exceptions and condition codes

    bool operator==(const Outcome& o) const {
        return st0 == o.st0 && st1 == o.st1 && status == o.status;
    }
};

std::string show(Float80 f) {
    std::ostringstream text;
    text << std::hex << std::setfill('0') << std::setw(4) << f.sign_exponent << ':' << std::setw(16)
         << f.significand;
    return text.str();
}
std::string show(const Outcome& o) {
    std::ostringstream text;
    text << show(o.st0) << ' ' << show(o.st1) << " status " << std::hex << o.status;
    return text.str();
}

using HostOp = void (*)(HostX87&);
using Operation = Outcome (*)(Environment&, Float80, Float80);

Outcome on_host(HostOp op, std::uint16_t control, Float80 a, Float80 b, std::uint16_t codes) {
    HostX87 h;
    h.load(a, b);
    h.control = control;
    op(h);
    const auto kept = static_cast<std::uint16_t>(kFloatExceptions | kStackFault | codes);
    return {h.st(0), h.st(1), static_cast<std::uint16_t>(h.status() & kept)};
}

Outcome simulated(Operation op, std::uint16_t control, Float80 a, Float80 b, std::uint16_t codes) {
    Environment env;
    env.control = control;
    Outcome o = op(env, a, b);
    if (env.refused()) {
        o.st0 = a;
        o.st1 = b;
    }
    o.status |= env.raised | (env.rounded_up ? kC1 : 0);
    o.status &= static_cast<std::uint16_t>(kFloatExceptions | codes);
    return o;
}

bool always(std::uint16_t, Float80, Float80) {
    return true;
}

// Compares where `agreed` says that hosts agree.
void expect_same(const char* name, HostOp host, Operation op, unsigned count, std::uint16_t codes,
                 bool (*agreed)(std::uint16_t, Float80, Float80) = always) {
    FloatOperands operands(kFpuSeed);
    unsigned wrong = 0;
    const auto check = [&](std::uint16_t control, Float80 a, Float80 b) {
        if (!agreed(control, a, b)) return;
        const Outcome right = on_host(host, control, a, b, codes);
        const Outcome got = simulated(op, control, a, b, codes);
        if (got == right) return;
        if (++wrong > 10) return;
        ADD_FAILURE() << name << " control " << std::hex << control << ": " << show(a) << " , "
                      << show(b) << "\n  host      " << show(right) << "\n  simulated " << show(got)
                      << "\n  seed " << std::dec << kFpuSeed;
    };
    for (unsigned n = 0; n < count; ++n) {
        const std::uint16_t control = operands.control();
        const Float80 a = operands.any();
        check(control, a, operands.partner(a));
    }
    const auto& ends = FloatOperands::boundaries();
    for (unsigned n = 0; n < ends.size(); ++n) {
        for (unsigned k = 0; k < ends.size(); ++k)
            check(operands.below(4) ? 0x37f : operands.control(), ends[n], ends[k]);
    }
    EXPECT_EQ(wrong, 0u) << name << ", of " << count + ends.size() * ends.size();
}

template <Float80 (*Function)(Environment&, Float80, Float80)>
Outcome binary(Environment& env, Float80 a, Float80 b) {
    return {Function(env, a, b), b, 0};
}
template <Float80 (*Function)(Environment&, Float80)>
Outcome unary(Environment& env, Float80 a, Float80 b) {
    return {Function(env, a), b, 0};
}

constexpr unsigned kCount = 300'000;

TEST_F(FpuArithmetic, Adds) {
    expect_same("fadd", host_add, binary<add>, kCount, kC1);
}
TEST_F(FpuArithmetic, Subtracts) {
    expect_same("fsub", host_subtract, binary<subtract>, kCount, kC1);
}
TEST_F(FpuArithmetic, Multiplies) {
    expect_same("fmul", host_multiply, binary<multiply>, kCount, kC1);
}
TEST_F(FpuArithmetic, Divides) {
    expect_same("fdiv", host_divide, binary<divide>, kCount, kC1);
}
TEST_F(FpuArithmetic, TakesSquareRoots) {
    expect_same("fsqrt", host_square_root, unary<square_root>, kCount, kC1);
}
TEST_F(FpuArithmetic, RoundsToIntegers) {
    expect_same("frndint", host_rint, unary<round_to_integral>, kCount, kC1);
}
TEST_F(FpuArithmetic, Scales) {
    const auto agreed = [](std::uint16_t control, Float80 a, Float80) {
        return hosts_agree_on_scale(control, a);
    };
    expect_same("fscale", host_scale, binary<scale>, kCount, kC1, agreed);
}

template <Quotient Kind>
Outcome remainder_of(Environment& env, Float80 a, Float80 b) {
    const Remainder r = remainder(env, a, b, Kind);
    std::uint16_t codes = r.partial ? kC2 : 0;
    if (r.quotient & 1) codes |= kC1;
    if (r.quotient & 2) codes |= kC3;
    if (r.quotient & 4) codes |= kC0;
    return {r.value, b, codes};
}
TEST_F(FpuArithmetic, TakesRemainders) {
    expect_same("fprem", host_prem, remainder_of<Quotient::chopped>, kCount, kCodes,
                hosts_agree_on_remainder);
    expect_same("fprem1", host_prem1, remainder_of<Quotient::nearest>, kCount, kCodes,
                hosts_agree_on_remainder);
}

// fxtract replaces ST(0) by the exponent and then pushes the significand.
TEST_F(FpuArithmetic, ExtractsExponentAndSignificand) {
    const auto op = [](Environment& env, Float80 a, Float80 b) {
        const Extracted e = extract(env, a);
        return Outcome{e.significand, env.refused() ? b : e.exponent, 0};
    };
    expect_same("fxtract", host_extract, op, kCount, kC1);
}

template <NanRule Rule>
Outcome compared(Environment& env, Float80 a, Float80 b) {
    static constexpr std::uint16_t kCode[] = {0, kC0, kC3, kC0 | kC2 | kC3};
    const Ordering o = compare(env, a, b, Rule);
    return {a, b, kCode[static_cast<unsigned>(o)]};
}
TEST_F(FpuArithmetic, Compares) {
    expect_same("fcom", host_compare, compared<NanRule::any_invalid>, kCount, kCodes);
    expect_same("fucom", host_unordered_compare, compared<NanRule::signalling_invalid>, kCount,
                kCodes);
}

}  // namespace
}  // namespace symsim::test

#endif
