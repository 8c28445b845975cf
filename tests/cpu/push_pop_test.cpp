// SPDX-License-Identifier: MIT
// What a 386 does where its manual is silent: 32-bit pushes of segment registers, and popad with a
// 16-bit stack. Source: test386.asm (README, PUSH and POPAD), which tried both on a 386SX.
#include <gtest/gtest.h>

#include "tests/cpu/bench.h"

namespace symsim::test {
namespace {

TEST(PushPop, APushOfASegmentRegisterWritesTwoBytes) {
    for (const Bytes& push : {Bytes{0x1e}, {0x06}, {0x0e}, {0x16}, {0x0f, 0xa0}, {0x0f, 0xa8}}) {
        auto bench = after(push, [](Bench& b) {
            b.memory.write(Bench::kStack - 4, 4, 0xdead'beef);
            b.memory.write(Bench::kStack - 8, 4, 0x1111'1111);
        });
        const unsigned selector = push[0] == 0x0e ? 0x08 : 0x10;
        EXPECT_EQ(bench->memory.read(Bench::kStack - 4, 4), 0xdead'0000 | selector);
        EXPECT_EQ(bench->regs()[esp], Bench::kStack - 4);
        // With 16 bits the pointer moves by two.
        Bytes narrow = push;
        narrow.insert(narrow.begin(), 0x66);
        bench->run(narrow);
        EXPECT_EQ(bench->regs()[esp], Bench::kStack - 6);
        EXPECT_EQ(bench->memory.read(Bench::kStack - 8, 4), 0x1111 | selector << 16);
    }
}

TEST(PushPop, PopadLoadsTheUpperHalfOfEspWhereTheStackHas16Bits) {
    const auto pop = [](const Bytes& bytes, bool wide_stack) {
        auto bench = after(bytes, [&](Bench& b) {
            if (!wide_stack) b.processor.system().stack_mask = 0xffff;
            b.regs()[esp] = 0x2'6800;
            for (unsigned n = 0; n < 8; ++n) {
                b.memory.write(0x6800 + 4 * n, 4, 0xdead'0000 + n);
                b.memory.write(0x2'6800 + 4 * n, 4, 0xdead'0000 + n);
            }
        });
        return bench->regs()[esp];
    };
    EXPECT_EQ(pop({0x61}, false), 0xdead'6820u);
    EXPECT_EQ(pop({0x61}, true), 0x2'6820u);
    EXPECT_EQ(pop({0x66, 0x61}, false), 0x2'6810u) << "popa";
    EXPECT_EQ(pop({0x66, 0x61}, true), 0x2'6810u) << "popa";
}

}  // namespace
}  // namespace symsim::test
