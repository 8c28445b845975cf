// SPDX-License-Identifier: MIT
// What every operation does first: answer operands that are no numbers, and report denormal ones.
#pragma once

#include "sim/cpu/fpu/environment.h"
#include "sim/cpu/fpu/float80.h"

namespace symsim {

inline Float80 invalid(Environment& env) {
    env.raise(kInvalid);
    return Float80::indefinite();
}

// The NaN that comes out where NaNs go in (387 manual, "Rules for generating QNaNs"): a quiet one
// before a signalling one, else the one with the larger significand, else the positive one.
inline Float80 chosen_nan(Float80 a, Float80 b) {
    if (!b.is_nan()) return a.quieted();
    if (!a.is_nan()) return b.quieted();
    if (a.is_signalling() != b.is_signalling()) return a.is_signalling() ? b : a;
    if (a.significand != b.significand) return (a.significand > b.significand ? a : b).quieted();
    return (a.sign() ? b : a).quieted();
}

// True: `result` is the answer. False: both are zero, finite or infinite.
inline bool answered(Environment& env, Float80 a, Float80 b, Float80& result) {
    if (a.is_unsupported() || b.is_unsupported()) {
        result = invalid(env);
        return true;
    }
    if (!a.is_nan() && !b.is_nan()) return false;
    if (a.is_signalling() || b.is_signalling()) env.raise(kInvalid);
    result = chosen_nan(a, b);
    return true;
}
inline bool answered(Environment& env, Float80 a, Float80& result) {
    return answered(env, a, a, result);
}

// False: an unmasked exception ends the operation.
inline bool admits_denormals(Environment& env, Float80 a, Float80 b) {
    return (!a.is_denormal() && !b.is_denormal()) || env.raise(kDenormal);
}
inline bool admits_denormals(Environment& env, Float80 a) {
    return admits_denormals(env, a, a);
}

}  // namespace symsim
