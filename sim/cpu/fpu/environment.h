// SPDX-License-Identifier: MIT
// Environment: the inputs of an operation beside its operands (masks, precision, rounding), and its
// reports (exceptions, C1). The bits are those of the 80387's control and status words.
#pragma once

#include <cstdint>

namespace symsim {

// The exceptions, with their bits in the status word. The masks have the same bits in the control
// word.
enum FloatException : std::uint16_t {
    kInvalid = 1,
    kDenormal = 2,
    kZeroDivide = 4,
    kOverflow = 8,
    kUnderflow = 16,
    kPrecision = 32,
    kStackFault = 64,  // only in the status word; comes with kInvalid
};
constexpr std::uint16_t kFloatExceptions = 0x3f;
// Exceptions that are found before anything is computed. If unmasked, they leave the destination
// unchanged.
constexpr std::uint16_t kEarlyExceptions = kInvalid | kDenormal | kZeroDivide;

enum class Rounding : std::uint8_t { nearest, down, up, chop };

struct Environment {
    std::uint16_t control = 0x37f;
    std::uint16_t raised = 0;  // FloatException bits
    bool rounded_up = false;   // C1 of an inexact result: rounded away from zero

    Rounding rounding() const { return static_cast<Rounding>(control >> 10 & 3); }
    // The number of significand bits by precision control. The reserved code 01 means extended
    // precision.
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
    // Records an exception. False: the exception is unmasked.
    bool raise(FloatException e) {
        raised |= e;
        return masked(e);
    }
    // An unmasked exception leaves the destination unchanged.
    bool refused() const { return raised & ~control & kEarlyExceptions; }
};

}  // namespace symsim
