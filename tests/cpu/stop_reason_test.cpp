// SPDX-License-Identifier: MIT
// An instruction that has to wait at one of its accesses is executed again from its start. Until
// then it must have changed nothing, and the values it has already read must stay the same.
#include <gtest/gtest.h>

#include "tests/cpu/bench.h"

namespace symsim::test {
namespace {

struct Case {
    const char* text;
    Bytes bytes;
    unsigned accesses;  // reads of different lines, so that each waits for the bus
};

// Puts code, stack and operands into different lines.
void prepare(Bench& b, const Case& c) {
    b.regs().r = {7,
                  3,
                  0x11,
                  Bench::kData + 0x100,
                  Bench::kData + 0x202,  // esp is not aligned; the next three cross line borders
                  Bench::kData + 0x40e,
                  Bench::kData + 0x60e,
                  Bench::kData + 0x80e};
    for (Address a = 0; a < 0x1000; a += 4) b.memory.write(Bench::kData + a, 4, a);
    for (const Address pointer : {b.regs()[ebx], b.regs()[esp]})  // for call and ret
        b.memory.write(pointer, 4, Bench::kCode + 64);
    if (c.bytes[0] == 0x62) b.memory.write(b.regs()[esi], 4, 0);  // bound's lower limit
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all = {
        {"mov eax, [ebx]", {0x8b, 0x03}, 1},
        {"add [ebx], eax", {0x01, 0x03}, 1},
        {"adc [esi], eax", {0x11, 0x06}, 2},
        {"lock inc dword [ebx]", {0xf0, 0xff, 0x03}, 1},
        {"xchg [ebx], eax", {0x87, 0x03}, 1},
        {"xchg [esi], eax, in two lines", {0x87, 0x06}, 2},
        {"shl dword [ebx], cl", {0xd3, 0x23}, 1},
        {"shld [ebx], edx, 3", {0x0f, 0xa4, 0x13, 3}, 1},
        {"bts [ebx], ecx", {0x0f, 0xab, 0x0b}, 1},
        {"mul dword [ebx]", {0xf7, 0x23}, 1},
        {"push dword [ebx]", {0xff, 0x33}, 1},
        {"pop dword [ebx]", {0x8f, 0x03}, 1},
        {"call [ebx]", {0xff, 0x13}, 1},
        {"ret", {0xc3}, 1},
        {"movsd", {0xa5}, 2},
        {"cmpsd", {0xa7}, 4},
        {"scasd", {0xaf}, 2},
        {"pusha", {0x60}, 0},
        {"popa", {0x61}, 3},
        {"enter 8, 6", {0xc8, 8, 0, 6}, 2},
        {"leave", {0xc9}, 2},
        {"bound eax, [esi]", {0x62, 0x06}, 2},
    };
    return all;
}

TEST(StopReason, APausedInstructionHasChangedNoRegisterAndNoFlag) {
    for (const Case& c : cases()) {
        Bench bench;
        prepare(bench, c);
        const Registers regs = bench.regs();
        const Flags flags = bench.flags();
        unsigned waits = 0;
        bench.at_pause = [&] {
            if (bench.eip() != Bench::kCode) return;
            ++waits;
            EXPECT_EQ(bench.regs().r, regs.r) << c.text;
            EXPECT_EQ(bench.flags(), flags) << c.text;
        };
        EXPECT_EQ(bench.run(c.bytes), StopReason::halted) << c.text << bench.complaint();
        EXPECT_NE(bench.eip(), Bench::kCode) << c.text;
        // The fetch of the instruction waits too.
        EXPECT_GT(waits, c.accesses) << c.text;
    }
}

TEST(StopReason, InstructionsThatWaitHaveTheSameResultsAsCacheHits) {
    for (const Case& c : cases()) {
        Bench cold, warm;
        for (Bench* bench : {&cold, &warm}) {
            prepare(*bench, c);
            if (bench == &warm) {
                bench->clocks(c.bytes);
                prepare(*bench, c);
            }
            bench->flags().set(0);
            bench->run(c.bytes);
        }
        EXPECT_EQ(cold.regs().r, warm.regs().r) << c.text;
        EXPECT_EQ(cold.flags().value(), warm.flags().value()) << c.text;
        for (Address a = Bench::kData; a < Bench::kData + 0x1000; a += 4)
            ASSERT_EQ(cold.memory.read(a, 4), warm.memory.read(a, 4)) << c.text << " at " << a;
    }
}

TEST(StopReason, AValueThatHasBeenReadIsKept) {
    // cmpsb: while it waits for its second operand, another processor writes the first.
    Bench bench;
    bench.regs()[esi] = Bench::kData;
    bench.regs()[edi] = Bench::kData + 0x100;
    bench.memory.write(Bench::kData, 1, 5);
    bench.memory.write(Bench::kData + 0x100, 1, 5);
    bool written = false;
    bench.at_pause = [&] {
        if (bench.processor.context().accesses != 1 || written) return;
        bench.memory.write(Bench::kData, 1, 6);
        written = true;
    };
    bench.run({0xa6});
    EXPECT_TRUE(written);
    EXPECT_TRUE(bench.flags().zf());
}

// Another processor overwrites the instruction at its first, second, ... pause.
TEST(StopReason, AnInstructionThatHasBegunIsFinishedAlthoughItIsOverwritten) {
    for (const Case& c : cases()) {
        Bench undisturbed;
        prepare(undisturbed, c);
        undisturbed.run(c.bytes);
        for (unsigned at = 0, pauses = 1; at < pauses; ++at) {
            SCOPED_TRACE(std::string(c.text) + ", pause " + std::to_string(at));
            Bench bench;
            prepare(bench, c);
            pauses = 0;
            bench.at_pause = [&] {
                if (bench.eip() != Bench::kCode || !(bench.processor.context().fetched & kAllLines))
                    return;
                if (pauses++ != at) return;
                for (Address n = 0; n < c.bytes.size(); ++n) {
                    bench.memory.write(Bench::kCode + n, 1, Bench::kHlt);
                    bench.code.written(Bench::kCode + n, 1);
                }
            };
            bench.run(c.bytes);
            EXPECT_GT(pauses, 0u);
            EXPECT_EQ(bench.regs().r, undisturbed.regs().r);
            EXPECT_EQ(bench.eip(), undisturbed.eip());
            for (Address a = Bench::kData; a < Bench::kStack; a += 4)
                ASSERT_EQ(bench.memory.read(a, 4), undisturbed.memory.read(a, 4)) << a;
        }
    }
}

TEST(StopReason, ARepeatedStringInstructionResumesWhereItPaused) {
    Bench bench;
    bench.regs()[esi] = Bench::kData;
    bench.regs()[edi] = Bench::kData + 0x400;
    bench.regs()[ecx] = 32;
    for (Address n = 0; n < 32; ++n) bench.memory.write(Bench::kData + 4 * n, 4, n * n);
    bench.run({0xf3, 0xa5});
    for (Address n = 0; n < 32; ++n)
        EXPECT_EQ(bench.memory.read(Bench::kData + 0x400 + 4 * n, 4), n * n);
    EXPECT_EQ(bench.regs()[ecx], 0u);
    EXPECT_EQ(bench.regs()[esi], Bench::kData + 128);
    EXPECT_EQ(bench.processor.context().instructions, 2u);  // and the hlt
}

}  // namespace
}  // namespace symsim::test
