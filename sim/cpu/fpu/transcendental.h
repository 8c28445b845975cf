// SPDX-License-Identifier: MIT
// The 80387's transcendental functions. They are computed to 192 bits by Boost.Multiprecision and
// rounded once, by rounding control. So results are the same on every host, and nearly always the
// nearest number. The last bits may differ from the real chip's, which errs by some units in the
// last place (docs/how-it-works/80387.md).
#pragma once

#include "sim/cpu/fpu/environment.h"
#include "sim/cpu/fpu/float80.h"

namespace symsim {

// 2^x - 1 for |x| <= 1. The manual leaves other operands undefined; here they are returned.
Float80 exponential(Environment& env, Float80 x);
// y * log2(x)
Float80 logarithm(Environment& env, Float80 y, Float80 x);
// y * log2(x + 1). The manual leaves |x| > 1 - sqrt(1/2) undefined; x <= -1 is invalid here.
Float80 logarithm_plus_one(Environment& env, Float80 y, Float80 x);
// The angle of the point (x, y).
Float80 arctangent(Environment& env, Float80 y, Float80 x);

// An angle of 2^63 or more is out of range: it is not reduced, C2 is set, and nothing else happens.
bool angle_out_of_range(Float80 x);
Float80 sine(Environment& env, Float80 x);
Float80 cosine(Environment& env, Float80 x);
Float80 tangent(Environment& env, Float80 x);

}  // namespace symsim
