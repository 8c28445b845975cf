// SPDX-License-Identifier: MIT
// The 80387's transcendental instructions: f2xm1 fyl2x fyl2xp1 fpatan fptan fsin fcos fsincos.
#include "sim/cpu/execute/float_operands.h"
#include "sim/cpu/fpu/transcendental.h"

namespace symsim {
namespace {

// A function of ST(1) and ST(0). The result replaces ST(1), and ST(0) is popped.
template <Float80 (*Function)(Environment&, Float80, Float80)>
bool of_two(Processor& cpu, const Op& op) {
    return replace<Function>(cpu, op, 1, 0, true);
}
// True: the angle is out of range. C2 is set, and the registers are unchanged. A stack fault has
// precedence; `room` is false if a push would overflow the stack.
bool too_large(Processor& cpu, const Op& op, bool room) {
    Fpu& fpu = fpu_of(cpu);
    fpu.flags &= static_cast<std::uint16_t>(~kC2);
    if (!room || fpu.is_empty(0) || !angle_out_of_range(fpu.st(0))) return false;
    fpu.flags |= kC2;
    fpu.report(fpu.environment());
    finish_float(cpu, op);
    return true;
}

template <Float80 (*Function)(Environment&, Float80)>
bool of_angle(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    return too_large(cpu, op, true) || replace_top<Function>(cpu, op);
}

// fptan gives the tangent and 1, so that fdivr then gives the cotangent, and code for the 8087
// still works.
FloatPair tangent_and_one(Environment& env, Float80 x) {
    const Float80 t = tangent(env, x);
    return {t, t.is_nan() ? t : Float80::one()};
}
// The exceptions are those of both functions. C1 is that of the cosine, which is computed last.
FloatPair sine_and_cosine(Environment& env, Float80 x) {
    const Float80 s = sine(env, x);
    if (env.refused()) return {};
    return {s, cosine(env, x)};
}

template <FloatPair (*Function)(Environment&, Float80)>
bool two_of_angle(Processor& cpu, const Op& op) {
    if (!begin_float(cpu)) return false;
    const bool room = fpu_of(cpu).is_empty(7);
    return too_large(cpu, op, room) || replace_top_by_two<Function>(cpu, op);
}

}  // namespace

Routine find_float_transcendental(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_F2XM1, replace_top<exponential>},
        {ZYDIS_MNEMONIC_FYL2X, of_two<logarithm>},
        {ZYDIS_MNEMONIC_FYL2XP1, of_two<logarithm_plus_one>},
        {ZYDIS_MNEMONIC_FPATAN, of_two<arctangent>},
        {ZYDIS_MNEMONIC_FSIN, of_angle<sine>},
        {ZYDIS_MNEMONIC_FCOS, of_angle<cosine>},
        {ZYDIS_MNEMONIC_FPTAN, two_of_angle<tangent_and_one>},
        {ZYDIS_MNEMONIC_FSINCOS, two_of_angle<sine_and_cosine>},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
