// SPDX-License-Identifier: MIT
// The state of a coprocessor as frstor loads it and fnsave saves it, and a simulated processor that
// executes one instruction on it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "sim/cpu/fpu/float80.h"
#include "tests/cpu/bench.h"

namespace symsim::test {

inline Float80 float_at(const std::uint8_t* from) {
    Float80 f;
    std::memcpy(&f.significand, from, 8);
    std::memcpy(&f.sign_exponent, from + 8, 2);
    return f;
}
inline void put_float(std::uint8_t* to, Float80 f) {
    std::memcpy(to, &f.significand, 8);
    std::memcpy(to + 8, &f.sign_exponent, 2);
}

struct FpuImage {
    std::array<std::uint8_t, 108> image{};
    std::array<std::uint8_t, 16> memory{};  // the memory operand
    std::uint32_t ax = 0;
    std::uint32_t flags = 0;  // the processor's, Flags::kArithmetic

    std::uint16_t word(unsigned at) const {
        return static_cast<std::uint16_t>(image[at] | image[at + 1] << 8);
    }
    void set_word(unsigned at, unsigned value) {
        image[at] = static_cast<std::uint8_t>(value);
        image[at + 1] = static_cast<std::uint8_t>(value >> 8);
    }
    std::uint16_t control() const { return word(0); }
    std::uint16_t status() const { return word(4); }
    std::uint16_t tags() const { return word(8); }
    unsigned top() const { return status() >> 11 & 7; }
    bool empty(unsigned n) const { return (tags() >> 2 * ((top() + n) & 7) & 3) == 3; }
    Float80 st(unsigned n) const { return float_at(image.data() + 28 + 10 * n); }
    void set_st(unsigned n, Float80 f) { put_float(image.data() + 28 + 10 * n, f); }
};

struct FpuOpcode {
    std::uint8_t first;
    std::uint8_t second;
};
constexpr std::uint8_t kFrstor[] = {0xdd, 0x27};  // frstor [edi]
constexpr std::uint8_t kFnsave[] = {0xdd, 0x37};  // fnsave [edi]

// frstor, one instruction and fnsave, between loading the flags from ebx and saving them there.
constexpr std::array<std::uint8_t, 10> bytes_of(FpuOpcode code) {
    constexpr std::uint8_t kPushEbx = 0x53, kPopf = 0x9d, kPushf = 0x9c, kPopEbx = 0x5b;
    return {kPushEbx,    kPopf,  kFrstor[0], kFrstor[1], code.first,
            code.second, kPushf, kPopEbx,    kFnsave[0], kFnsave[1]};
}

// Executes the bytes. The memory operand is at [esi].
class SimulatedFpu {
  public:
    void run(FpuOpcode code, FpuImage& s) {
        constexpr Address kOperand = Bench::kData + 128;
        std::copy(s.image.begin(), s.image.end(), bench_.memory.data() + Bench::kData);
        std::copy(s.memory.begin(), s.memory.end(), bench_.memory.data() + kOperand);
        bench_.regs()[edi] = Bench::kData;
        bench_.regs()[esi] = kOperand;
        bench_.regs()[eax] = s.ax;
        bench_.processor.fpu().initialise();
        bench_.regs()[ebx] = s.flags;
        const auto bytes = bytes_of(code);
        bench_.run({bytes.begin(), bytes.end()});
        std::copy_n(bench_.memory.data() + Bench::kData, s.image.size(), s.image.begin());
        std::copy_n(bench_.memory.data() + kOperand, s.memory.size(), s.memory.begin());
        s.ax = bench_.regs()[eax];
        s.flags = bench_.regs()[ebx] & Flags::kArithmetic;
    }
    const std::string& complaint() const { return bench_.complaint(); }

  private:
    Bench bench_{0, Isa::i686};
};

}  // namespace symsim::test
