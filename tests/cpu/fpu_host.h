// SPDX-License-Identifier: MIT
// The host's x87 as oracle: executes one instruction on two operands, with any exceptions unmasked,
// and saves the x87's state. fpu_hosts_agree.h says where every host gives the same answer.
#pragma once

#if defined(__x86_64__) && defined(__linux__)
#define SYMSIM_HOST_X87 1

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "sim/cpu/fpu/environment.h"
#include "tests/cpu/fpu_image.h"

namespace symsim::test {

// Operands and result of one instruction. SYMSIM_HOST_X87_OP below uses the offsets of the members.
struct HostX87 {
    std::uint8_t top[16] = {};     // ST(0) before
    std::uint8_t second[16] = {};  // ST(1) before
    std::uint16_t control = 0x37f;
    std::uint16_t unused[7] = {};
    std::uint8_t memory[16] = {};
    std::uint8_t image[128] = {};  // the state after it, written by fnsave

    void load(Float80 st0, Float80 st1) {
        put_float(top, st0);
        put_float(second, st1);
    }
    std::uint16_t status() const {
        std::uint16_t s;
        std::memcpy(&s, image + 4, 2);
        return s;
    }
    Float80 st(unsigned n) const { return float_at(image + 28 + 10 * n); }
};

#define SYMSIM_X87_CLOBBERS \
    "memory", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)"

// Defines a function that loads ST(0) and ST(1), sets the control word, executes the instruction
// and saves the state. No waiting instruction follows, so an unmasked exception stays pending.
#define SYMSIM_HOST_X87_OP(name, text)                                                           \
    inline void name(HostX87& h) {                                                               \
        asm volatile("fninit\n fldt 16(%0)\n fldt (%0)\n fldcw 32(%0)\n" text "\n fnsave 64(%0)" \
                     :                                                                           \
                     : "r"(&h)                                                                   \
                     : SYMSIM_X87_CLOBBERS);                                                     \
    }

SYMSIM_HOST_X87_OP(host_square_root, "fsqrt")

// Compares with the host, unless the host's x87 is emulated without all of its reports: QEMU's and
// Valgrind's report no denormal operand.
class HostX87Test : public ::testing::Test {
  protected:
    void SetUp() override {
        HostX87 h;
        h.load(Float80::make(false, 0, 1), Float80::one());
        host_square_root(h);
        if (!(h.status() & kDenormal)) GTEST_SKIP() << "this host's x87 is emulated in part";
    }
};

}  // namespace symsim::test

#endif
