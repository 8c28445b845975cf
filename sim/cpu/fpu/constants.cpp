// SPDX-License-Identifier: MIT
// The digits of the constants.
#include "sim/cpu/fpu/constants.h"

#include "sim/cpu/fpu/rounding.h"

namespace symsim {
namespace {

// The highest 128 bits of each constant, chopped: more than any rounding needs.
struct Digits {
    int power;
    std::uint64_t high;
    std::uint64_t low;
};
constexpr Digits kDigits[] = {
    {0, 0x8000'0000'0000'0000, 0},
    {1, 0xd49a'784b'cd1b'8afe, 0x492b'f6ff'4daf'db4c},
    {0, 0xb8aa'3b29'5c17'f0bb, 0xbe87'fed0'691d'3e88},
    {1, 0xc90f'daa2'2168'c234, 0xc4c6'628b'80dc'1cd1},
    {-2, 0x9a20'9a84'fbcf'f798, 0x8f89'59ac'0b7c'9178},
    {-1, 0xb172'17f7'd1cf'79ab, 0xc9e3'b398'03f2'f6af},
};

}  // namespace

Float80 constant(const Environment& env, FloatConstant which) {
    if (which == FloatConstant::zero) return Float80::zero();
    const Digits& digits = kDigits[static_cast<unsigned>(which)];
    Environment quiet = env;
    return round_to_register(quiet,
                             {false, Float80::kBias + digits.power, wide(digits.high, digits.low)});
}

}  // namespace symsim
