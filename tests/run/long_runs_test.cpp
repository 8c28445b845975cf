// SPDX-License-Identifier: MIT
// Long sequences of instructions without a branch. In a build whose compiler does not make tail
// calls jumps, such as the preset asan, each instruction of a run has a frame on the host's stack.
#include "tests/run/failure_case.h"

namespace symsim::test {
namespace {

constexpr std::uint32_t kCopies = 3000;  // some runs long, and all in the cache

class LongRuns : public FailureTest {
  protected:
    // Executes many copies of some instructions, three times over, on one processor.
    void unrolled(const Bytes& copied, std::uint32_t instructions = 1) {
        Bytes code = {0xbc, 0, 0, 0x30, 0, 0xbd, 3, 0, 0, 0};  // mov esp, 0x300000; mov ebp, 3
        const std::size_t again = code.size();
        for (std::uint32_t n = 0; n < kCopies; ++n)
            code.insert(code.end(), copied.begin(), copied.end());
        code.insert(code.end(), {0x4d, 0x0f, 0x85});  // dec ebp; jnz again
        const auto back = static_cast<std::uint32_t>(again - (code.size() + 4));
        for (int shift = 0; shift < 32; shift += 8)
            code.push_back(static_cast<std::uint8_t>(back >> shift));
        // xor eax, eax; mov [power], eax; hlt
        code.insert(code.end(), {0x31, 0xc0, 0xa3, 0, 0x10, 0, 0xd0, 0xf4});
        const std::string file = config(code);
        const auto with = [&](const char* engine) {
            const Outcome outcome =
                run(file, {"--quiet", "--set", "machine.processors=1", "--set",
                           "processor.isa=i486", "--set", std::string("run.engine=") + engine});
            EXPECT_EQ(outcome.exit, 0) << outcome.err;
            EXPECT_GT(summary()["processors"][0]["instructions"], 3 * kCopies * instructions);
            return files();
        };
        const auto fast = with("fast");
        EXPECT_TRUE(with("reference") == fast);
    }
};

TEST_F(LongRuns, OfLoads) {
    unrolled({0xa1, 0, 0, 0x20, 0});        // mov eax, [0x200000]
    unrolled({0x8b, 0x87, 0, 0, 0x20, 0});  // mov eax, [edi + 0x200000]
}

TEST_F(LongRuns, OfStores) {
    unrolled({0xa3, 0, 0, 0x20, 0});                    // mov [0x200000], eax
    unrolled({0x81, 0x05, 0, 0, 0x20, 0, 1, 0, 0, 0});  // add [0x200000], 1
}

TEST_F(LongRuns, OfTheShortestInstructions) {
    unrolled({0x40});        // inc eax: two clocks
    unrolled({0x0f, 0xc8});  // bswap eax: one clock
}

TEST_F(LongRuns, OfCallsAndJumps) {
    unrolled({0xeb, 0x00});                       // jmp to the next
    unrolled({0xe8, 0, 0, 0, 0, 0x58}, 2);        // call the next; pop eax
    unrolled({0x74, 0x01, 0x90, 0x75, 0x00}, 3);  // jz over; nop; over: jnz to the next
}

}  // namespace
}  // namespace symsim::test
