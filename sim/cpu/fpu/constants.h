// SPDX-License-Identifier: MIT
// The constants that the 80387 can load: fld1, fldl2t, fldl2e, fldpi, fldlg2, fldln2, fldz.
#pragma once

#include "sim/cpu/fpu/environment.h"
#include "sim/cpu/fpu/float80.h"

namespace symsim {

// In the order of the opcodes d9 e8 .. d9 ee.
enum class FloatConstant : std::uint8_t {
    one,
    log2_of_10,
    log2_of_e,
    pi,
    log10_of_2,
    ln_of_2,
    zero
};

// Rounds the constant by rounding control, as the 80387 and later do. Precision control does not
// apply, and no exception is raised.
Float80 constant(const Environment& env, FloatConstant which);

}  // namespace symsim
