// SPDX-License-Identifier: MIT
// Tests which loops are delay loops, and that the decode cache marks their jumps only.
#include "sim/cpu/isa/delay_loop.h"

#include <gtest/gtest.h>

#include <vector>

#include "sim/cpu/core/decode_cache.h"

namespace symsim::test {
namespace {

// A decoded loop; `jump` is its last instruction.
struct Loop {
    explicit Loop(const std::vector<std::uint8_t>& bytes) {
        for (Address n = 0; n < bytes.size(); ++n) memory.write(kPlace + n, 1, bytes[n]);
        jump = code.at(kPlace, true);
        while (jump->next->address < kPlace + bytes.size())
            jump = code.at(jump->next->address, true);
    }

    static constexpr Address kPlace = 0x1000;
    Memory memory{1 << 16};
    DecodeCache code{memory, [](Address) { return CodeAttributes{}; }, Isa::i386, 16};
    const Op* jump;
};

TEST(DelayLoop, CountsARegisterDown) {
    const Loop loop({0x49, 0x75, 0xfd});  // dec ecx; jnz
    const DelayLoop found = delay_loop_of(*loop.jump);
    ASSERT_EQ(found.counter, loop.jump->target);
    EXPECT_EQ(found.counter->dst, ecx);
    EXPECT_EQ(found.instructions, 2u);
    EXPECT_EQ(loop.jump->in_loop, InLoop::repeats);
}

TEST(DelayLoop, MayContainNops) {
    const Loop loop({0x90, 0x49, 0x90, 0x75, 0xfb});  // nop; dec ecx; nop; jnz
    const DelayLoop found = delay_loop_of(*loop.jump);
    ASSERT_EQ(found.counter, loop.jump->target->next);
    EXPECT_EQ(found.instructions, 4u);
    EXPECT_EQ(loop.jump->in_loop, InLoop::repeats);
}

TEST(DelayLoop, MayEndBelowZero) {
    const Loop to_zero({0x49, 0x75, 0xfd});     // dec ecx; jnz
    const Loop below_zero({0x49, 0x79, 0xfd});  // dec ecx; jns
    EXPECT_EQ(delay_loop_of(*to_zero.jump).last, 0u);
    ASSERT_EQ(delay_loop_of(*below_zero.jump).counter, below_zero.jump->target);
    EXPECT_EQ(delay_loop_of(*below_zero.jump).last, ~0u);
}

// A processor asks its engine after each jump of a delay loop, and after few others.
TEST(DelayLoop, NoOtherJumpIsMarked) {
    const std::vector<std::vector<std::uint8_t>> others = {
        {0x49, 0x42, 0x75, 0xfc},              // dec ecx; inc edx; jnz
        {0x49, 0x4a, 0x75, 0xfc},              // dec ecx; dec edx; jnz
        {0x66, 0x49, 0x75, 0xfc},              // dec cx; jnz
        {0xff, 0x0b, 0x75, 0xfc},              // dec dword [ebx]; jnz
        {0x90, 0x75, 0xfd},                    // nop; jnz
        {0x49, 0x8b, 0x03, 0x75, 0xfb},        // dec ecx; mov eax, [ebx]; jnz
        {0x49, 0x74, 0xfd},                    // dec ecx; jz
        {0x49, 0x78, 0xfd},                    // dec ecx; js
        {0x49, 0x7d, 0xfd},                    // dec ecx; jge
        {0x49, 0x75, 0x02},                    // dec ecx; jnz forwards
        {0x90, 0x90, 0x90, 0x49, 0x75, 0xfa},  // five instructions: one more than is considered
    };
    for (const auto& bytes : others) {
        const Loop loop(bytes);
        EXPECT_EQ(delay_loop_of(*loop.jump).counter, nullptr) << "of " << bytes.size() << " bytes";
        EXPECT_EQ(loop.jump->in_loop, InLoop::other) << "of " << bytes.size() << " bytes";
    }
}

TEST(DelayLoop, AProbePointOrAWriteToItsBytesEndsIt) {
    const Loop probed({0x49, 0x75, 0xfd});
    const_cast<Op*>(probed.jump->target)->entry = kProbedEntry;
    EXPECT_EQ(delay_loop_of(*probed.jump).counter, nullptr);
    Loop written({0x49, 0x75, 0xfd});
    written.code.written(Loop::kPlace, 1);
    EXPECT_EQ(delay_loop_of(*written.jump).counter, nullptr);
}

}  // namespace
}  // namespace symsim::test
