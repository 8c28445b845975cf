// SPDX-License-Identifier: MIT
// CountedLoop: how many iterations of a delay loop may be skipped by arithmetic. tests/engine
// checks that skipping them changes nothing else.
#include "sim/cpu/core/counted_loop.h"

#include <gtest/gtest.h>

#include <vector>

#include "sim/cpu/core/decode_cache.h"
#include "tests/support/small_machine.h"

namespace symsim::test {
namespace {

constexpr Time kTurn = 600'000;
constexpr Time kFar = 1000 * kTurn;

// A decoded loop and the context of a processor that executes it: an iteration takes kTurn, and 100
// iterations are left (the counter stays at 100).
struct Loop {
    explicit Loop(const std::vector<std::uint8_t>& bytes) {
        for (Address n = 0; n < bytes.size(); ++n) memory.write(kPlace + n, 1, bytes[n]);
        first = jump = code.at(kPlace, true);
        for (; jump->next->address < kPlace + bytes.size(); ++instructions)
            jump = code.at(jump->next->address, true);
        now.eip = kPlace;
        now.regs[ecx] = 100;
    }
    CountedLoop::Spare turn(Time limit = kFar) {
        now.time += kTurn;
        now.instructions += instructions;
        if (!counted.repeats(now)) return {};
        return counted.spare(now, first, *jump, limit);
    }

    static constexpr Address kPlace = 0x1000;
    Memory memory{1 << 16};
    DecodeCache code{memory, [](Address) { return CodeAttributes{}; }, Isa::i386, 16};
    const Op* first;
    const Op* jump;
    std::uint64_t instructions = 1;
    Context now;
    CountedLoop counted;
};

TEST(CountedLoop, SkipsAllButTheLastIterationFromTheSecondOn) {
    Loop loop({0x49, 0x75, 0xfd});  // dec ecx; jnz
    EXPECT_EQ(loop.turn().iterations, 0u) << "nothing is known of how long it takes";
    const auto spare = loop.turn();
    EXPECT_EQ(spare.iterations, 99u);
    EXPECT_EQ(spare.counter, ecx);
    EXPECT_EQ(spare.instructions, 2u);
    EXPECT_EQ(spare.turn, kTurn);
}

TEST(CountedLoop, LeavesOneMoreIterationBeforeTheLimit) {
    Loop loop({0x49, 0x75, 0xfd});
    loop.turn();
    EXPECT_EQ(loop.turn(2 * kTurn + 10 * kTurn).iterations, 9u);
    EXPECT_EQ(loop.turn(3 * kTurn + 2 * kTurn).iterations, 1u);
    EXPECT_EQ(loop.turn(4 * kTurn + 2 * kTurn - 1).iterations, 0u);
}

TEST(CountedLoop, MayContainNops) {
    Loop loop({0x90, 0x49, 0x90, 0x75, 0xfb});  // nop; dec ecx; nop; jnz
    loop.turn();
    EXPECT_EQ(loop.turn().iterations, 99u);
}

TEST(CountedLoop, MayContainNothingButNopsAndOneCounter) {
    const std::vector<std::vector<std::uint8_t>> others = {
        {0x49, 0x42, 0x75, 0xfc},              // dec ecx; inc edx; jnz
        {0x49, 0x4a, 0x75, 0xfc},              // dec ecx; dec edx; jnz
        {0x66, 0x49, 0x75, 0xfc},              // dec cx; jnz
        {0xff, 0x0b, 0x75, 0xfc},              // dec dword [ebx]; jnz
        {0x90, 0x75, 0xfd},                    // nop; jnz
        {0x49, 0x8b, 0x03, 0x75, 0xfb},        // dec ecx; mov eax, [ebx]; jnz
        {0x90, 0x90, 0x90, 0x49, 0x75, 0xfa},  // five instructions: one more than is considered
    };
    for (const auto& bytes : others) {
        Loop loop(bytes);
        loop.turn();
        EXPECT_EQ(loop.turn().iterations, 0u) << "of " << bytes.size() << " bytes";
    }
}

TEST(CountedLoop, AnIterationWithOtherInstructionsInBetweenDoesNotCount) {
    Loop loop({0x49, 0x75, 0xfd});
    loop.turn();
    loop.now.instructions += 1;
    EXPECT_EQ(loop.turn().iterations, 0u);
    loop.counted.forget();
    EXPECT_EQ(loop.turn().iterations, 0u);
}

// A loop that does more than count is examined only once, so that it costs no host time later. A
// loop at another address is examined again.
TEST(CountedLoop, ALoopThatDoesMoreThanCountIsExaminedOnce) {
    Loop loop({0x49, 0x42, 0x75, 0xfc});  // dec ecx; inc edx; jnz
    const auto repeats = [&] {
        loop.now.instructions += loop.instructions;
        return loop.counted.repeats(loop.now);
    };
    EXPECT_FALSE(repeats());
    EXPECT_TRUE(repeats());
    EXPECT_EQ(loop.counted.spare(loop.now, loop.first, *loop.jump, kFar).iterations, 0u);
    EXPECT_FALSE(repeats());
    loop.counted.forget();
    EXPECT_FALSE(repeats());
    EXPECT_FALSE(repeats());
    loop.now.eip += 0x100;
    EXPECT_FALSE(repeats());
    EXPECT_TRUE(repeats());
}

TEST(CountedLoop, ALoopWithAProbePointIsNotSkipped) {
    Loop loop({0x49, 0x75, 0xfd});
    const_cast<Op*>(loop.first)->entry = kProbedEntry;
    loop.turn();
    EXPECT_EQ(loop.turn().iterations, 0u);
}

// Simulates a month of counting, which would exceed any test timeout if each iteration were
// executed.
TEST(CountedLoop, TheProcessorSkipsIterations) {
    SmallMachine machine(1, {0xb9, 0xff, 0xff, 0xff, 0xff, 0x49, 0x75, 0xfd, 0xeb, 0xf6});
    const Time warm = 100 * kMicrosecond, month = Time{30} * 86'400 * 1000 * kMillisecond;
    machine.step_until(warm);
    Processor& processor = machine.processor(0);
    EXPECT_EQ(processor.run(machine.next(0), month), StopReason::retry);
    EXPECT_GE(processor.next_time(), month);
    EXPECT_GT(processor.context().instructions, 1'000'000'000'000u);
}

}  // namespace
}  // namespace symsim::test
