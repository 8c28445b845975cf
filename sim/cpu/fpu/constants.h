// SPDX-License-Identifier: MIT
// The constants the 80387 holds.
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

// Rounding control applies since the 80387; precision control does not, and no exception comes.
Float80 constant(const Environment& env, FloatConstant which);

}  // namespace symsim
