// SPDX-License-Identifier: MIT
// What an operation is told and what it tells, in the bits of the 80387's control and status
// words.
#pragma once

#include <cstdint>

namespace symsim {

// Exceptions, in the places they have in the status word and, as masks, in the control word.
enum FloatException : std::uint16_t {
    kInvalid = 1,
    kDenormal = 2,
    kZeroDivide = 4,
    kOverflow = 8,
    kUnderflow = 16,
    kPrecision = 32,
    kStackFault = 64,  // status only; comes with kInvalid
};
constexpr std::uint16_t kFloatExceptions = 0x3f;
// Found before anything is computed: unmasked, they leave the destination as it was.
constexpr std::uint16_t kEarlyExceptions = kInvalid | kDenormal | kZeroDivide;

enum class Rounding : std::uint8_t { nearest, down, up, chop };

struct Environment {
    std::uint16_t control = 0x37f;
    std::uint16_t raised = 0;  // FloatException bits
    bool rounded_up = false;   // status bit C1 of an inexact result: away from zero

    Rounding rounding() const { return static_cast<Rounding>(control >> 10 & 3); }
    // Bits of the significand. The reserved code 01 is taken for extended.
    int precision() const {
        switch (control >> 8 & 3) {
            case 0:
                return 24;
            case 2:
                return 53;
            default:
                return 64;
        }
    }
    bool masked(FloatException e) const { return control & e; }
    // False if it is unmasked.
    bool raise(FloatException e) {
        raised |= e;
        return masked(e);
    }
    // The destination keeps its value.
    bool refused() const { return raised & ~control & kEarlyExceptions; }
};

}  // namespace symsim
