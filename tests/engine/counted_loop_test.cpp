// SPDX-License-Identifier: MIT
// CountedLoop: how many iterations of a delay loop may be skipped by arithmetic. Which loops are
// delay loops is in tests/cpu/delay_loop_test.cpp. run_ahead_test.cpp checks that skipping them
// changes nothing else.

#include <gtest/gtest.h>

#include <vector>

#include "sim/cpu/core/decode_cache.h"
#include "sim/engine/speculation/loop_skipper.h"
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
        jump = code.at(kPlace, true);
        for (; jump->next->address < kPlace + bytes.size(); ++instructions)
            jump = code.at(jump->next->address, true);
        now.eip = kPlace;
        now.regs[ecx] = 100;
    }
    CountedLoop::Spare turn(Time limit = kFar) {
        now.time += kTurn;
        now.instructions += instructions;
        return counted.turn(now, *jump, limit);
    }

    static constexpr Address kPlace = 0x1000;
    Memory memory{1 << 16};
    DecodeCache code{memory, [](Address) { return CodeAttributes{}; }, Isa::i386, 16};
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

TEST(CountedLoop, ALoopThatEndsBelowZeroHasOneIterationMore) {
    Loop loop({0x49, 0x79, 0xfd});  // dec ecx; jns
    loop.turn();
    EXPECT_EQ(loop.turn().iterations, 100u);
    loop.now.regs[ecx] = 0;
    EXPECT_EQ(loop.turn().iterations, 0u) << "the next one is the last";
}

TEST(CountedLoop, LeavesOneMoreIterationBeforeTheLimit) {
    Loop loop({0x49, 0x75, 0xfd});
    loop.turn();
    EXPECT_EQ(loop.turn(2 * kTurn + 10 * kTurn).iterations, 9u);
    EXPECT_EQ(loop.turn(3 * kTurn + 2 * kTurn).iterations, 1u);
    EXPECT_EQ(loop.turn(4 * kTurn + 2 * kTurn - 1).iterations, 0u);
}

TEST(CountedLoop, AnIterationWithOtherInstructionsInBetweenDoesNotCount) {
    Loop loop({0x49, 0x75, 0xfd});
    loop.turn();
    loop.now.instructions += 1;
    EXPECT_EQ(loop.turn().iterations, 0u);
    loop.counted.forget();
    EXPECT_EQ(loop.turn().iterations, 0u);
}

TEST(CountedLoop, ALoopWhoseBytesHaveBeenWrittenIsNotSkipped) {
    Loop loop({0x49, 0x75, 0xfd});
    loop.turn();
    loop.code.written(Loop::kPlace, 1);
    EXPECT_EQ(loop.turn().iterations, 0u);
}

// Simulates a month of counting, which would exceed any test timeout if each iteration were
// executed.
TEST(CountedLoop, TheProcessorSkipsIterations) {
    SmallMachine machine(1, {0xb9, 0xff, 0xff, 0xff, 0xff, 0x49, 0x75, 0xfd, 0xeb, 0xf6});
    const Time warm = 100 * kMicrosecond, month = Time{30} * 86'400 * 1000 * kMillisecond;
    machine.step_until(warm);
    Processor& processor = machine.processor(0);
    LoopSkipper loops(processor);
    EXPECT_EQ(processor.run(machine.next(0), month, &loops), StopReason::retry);
    EXPECT_GE(processor.next_time(), month);
    EXPECT_GT(processor.context().instructions, 1'000'000'000'000u);
}

}  // namespace
}  // namespace symsim::test
