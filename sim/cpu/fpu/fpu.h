// SPDX-License-Identifier: MIT
// Fpu: the state of an 80387. It consists of everything that programs can see, and the time until
// which the 80387 is busy. Rollback points (sim/engine/speculation/run_ahead.h) copy it.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/time.h"
#include "sim/cpu/fpu/environment.h"
#include "sim/cpu/fpu/float80.h"

namespace symsim {

// Bits of the status word above the exceptions. TOP is in Fpu::top. Error summary and busy are
// derived from the exceptions.
enum FloatStatus : std::uint16_t {
    kErrorSummary = 0x80,
    kC0 = 0x100,
    kC1 = 0x200,
    kC2 = 0x400,
    kC3 = 0x4000,
    kFpuBusy = 0x8000,
};
constexpr std::uint16_t kConditionCodes = kC0 | kC1 | kC2 | kC3;

// The pointers that fstenv stores, to the last instruction that is not a control instruction and to
// its operand. The 386 keeps them, so that an exception handler can find the instruction that
// caused the exception.
struct FloatPointers {
    std::uint32_t instruction = 0;
    std::uint32_t operand = 0;
    std::uint16_t code_selector = 0;
    std::uint16_t operand_selector = 0;
    std::uint16_t opcode = 0;  // 11 bits: the low three of the first byte, and the second
};

struct Fpu {
    std::array<Float80, 8> registers{};
    std::uint16_t control = 0x37f;
    std::uint16_t flags = 0;    // exceptions, stack fault, condition codes
    std::uint8_t top = 0;       // which register is ST(0)
    std::uint8_t empty = 0xff;  // bit n: register n
    FloatPointers pointers;
    Time busy_until = 0;  // BUSY# is active before this time

    // fninit. The registers keep their bits, but become empty.
    void initialise() {
        control = 0x37f;
        flags = 0;
        top = 0;
        empty = 0xff;
        pointers = {};
    }

    // An unmasked exception is pending: ERROR# is active, and the next instruction that waits
    // raises #MF.
    bool error() const { return flags & ~control & kFloatExceptions; }

    unsigned index(unsigned i) const { return (top + i) & 7; }
    bool is_empty(unsigned i) const { return empty >> index(i) & 1; }
    const Float80& st(unsigned i) const { return registers[index(i)]; }
    void set(unsigned i, Float80 value) {
        registers[index(i)] = value;
        empty &= static_cast<std::uint8_t>(~(1u << index(i)));
    }
    void release(unsigned i) { empty |= static_cast<std::uint8_t>(1u << index(i)); }
    void push(Float80 value) {
        top = (top - 1) & 7;
        set(0, value);
    }
    void pop() {
        release(0);
        top = (top + 1) & 7;
    }

    Environment environment() const {
        Environment env;
        env.control = control;
        return env;
    }
    // Records what an instruction reports. Exceptions are sticky; C1 is that of the last
    // instruction.
    void report(const Environment& env) {
        flags |= env.raised;
        flags &= static_cast<std::uint16_t>(~kC1);
        if (env.rounded_up) flags |= kC1;
    }
    void set_codes(std::uint16_t codes) {
        flags = static_cast<std::uint16_t>((flags & ~kConditionCodes) | codes);
    }

    // One reserved bit (0x40) reads as 1, the others as 0.
    void set_control_word(std::uint32_t word) { control = (word & 0x1f3f) | 0x40; }

    std::uint16_t status_word() const;
    void set_status_word(std::uint16_t word);
    // Two bits for each register, derived from its contents: valid, zero, special, empty.
    std::uint16_t tag_word() const;
    // Only whether a tag is empty matters. The other tags are derived again from the contents.
    void set_tag_word(std::uint16_t word);
};

}  // namespace symsim
