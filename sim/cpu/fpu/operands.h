// SPDX-License-Identifier: MIT
// The first steps of every operation: the results for NaNs and unsupported formats, and reports of
// denormal operands.
#pragma once

#include "sim/cpu/fpu/environment.h"
#include "sim/cpu/fpu/float80.h"

namespace symsim {

inline Float80 invalid(Environment& env) {
    env.raise(kInvalid);
    return Float80::indefinite();
}

// The result if an operand is a NaN (387 manual, "Rules for generating QNaNs"). A quiet NaN has
// precedence over a signalling one, then the NaN with the larger significand, then the positive
// one.
inline Float80 chosen_nan(Float80 a, Float80 b) {
    if (!b.is_nan()) return a.quieted();
    if (!a.is_nan()) return b.quieted();
    if (a.is_signalling() != b.is_signalling()) return a.is_signalling() ? b : a;
    if (a.significand != b.significand) return (a.significand > b.significand ? a : b).quieted();
    return (a.sign() ? b : a).quieted();
}

// True: an operand is a NaN or unsupported, and `result` is the result. False: both operands are
// zero, finite or infinite.
inline bool handled_special(Environment& env, Float80 a, Float80 b, Float80& result) {
    if (a.is_unsupported() || b.is_unsupported()) {
        result = invalid(env);
        return true;
    }
    if (!a.is_nan() && !b.is_nan()) return false;
    if (a.is_signalling() || b.is_signalling()) env.raise(kInvalid);
    result = chosen_nan(a, b);
    return true;
}
inline bool handled_special(Environment& env, Float80 a, Float80& result) {
    return handled_special(env, a, a, result);
}

// Reports denormal operands. False: the exception is unmasked and ends the operation.
inline bool admits_denormals(Environment& env, Float80 a, Float80 b) {
    return (!a.is_denormal() && !b.is_denormal()) || env.raise(kDenormal);
}
inline bool admits_denormals(Environment& env, Float80 a) {
    return admits_denormals(env, a, a);
}

}  // namespace symsim
