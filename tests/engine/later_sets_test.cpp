// SPDX-License-Identifier: MIT
// Instructions of the 586 and 686 under run-ahead: the fast engine does what stepping does.
#include <gtest/gtest.h>

#include <tuple>

#include "tests/support/assembler.h"
#include "tests/support/part_configs.h"
#include "tests/support/small_machine.h"

namespace symsim::test {
namespace {

constexpr unsigned kProcessors = 3;

// Each processor increments a counter of 8 bytes, which crosses two lines, 40 times. Between two
// increments it waits by rdtsc in a loop that leaves the same registers and flags at each turn.
const char* const kCounter = R"(
    .intel_syntax noprefix
    .code32
    .global start
    start:
        mov edi, 40
    next:
        mov eax, [0x20000c]
        mov edx, [0x200010]
    retry:
        mov ebx, eax
        mov ecx, edx
        add ebx, 0x10000000
        adc ecx, 0
        lock cmpxchg8b [0x20000c]
        jnz retry
        rdtsc
        mov esi, eax
    wait:
        rdtsc
        sub eax, esi
        cmp eax, 300
        mov ebx, 1
        mov ecx, 0
        cmovb ecx, ebx
        xor eax, eax
        xor edx, edx
        test ecx, ecx
        jnz wait
        fld1
        fldz
        fcomip st, st(1)
        fstp st
        cmovb ebp, edi
        dec edi
        jnz next
        hlt
)";

class LaterSets : public testing::TestWithParam<std::tuple<StorePolicy, const Protocol*>> {};

TEST_P(LaterSets, AreTheSameUnderRunAhead) {
    const auto [policy, protocol] = GetParam();
    ControllerConfig config = test_controller_config();
    config.store_policy = policy;
    const auto code = assemble_program(kCounter, SmallMachine::kCode);
    SmallMachine stepped(kProcessors, code, config, protocol, Isa::i686);
    SmallMachine ahead(kProcessors, code, config, protocol, Isa::i686);
    for (Time to = 3 * kMicrosecond; to < 3 * kMillisecond; to += 34'567'890) {
        stepped.step_until(to);
        ahead.run_fast_until(to);
        ASSERT_EQ(stepped.state(), ahead.state()) << "to " << to;
    }
    for (ProcessorId id = 0; id < kProcessors; ++id) {
        EXPECT_TRUE(ahead.processor(id).halted()) << ahead.processor(id).failure().what;
        EXPECT_EQ(ahead.processor(id).context().regs[ebp], 1u);
    }
    // 120 times 2^28 is 7 * 2^32 + 2^31.
    EXPECT_EQ(ahead.memory.read(SmallMachine::kData + 12, 4), 0x8000'0000u);
    EXPECT_EQ(ahead.memory.read(SmallMachine::kData + 16, 4), 7u);
}

INSTANTIATE_TEST_SUITE_P(
    Policies, LaterSets,
    testing::Combine(testing::Values(StorePolicy::block_port, StorePolicy::buffered),
                     testing::Values(&protocols::write_through, &protocols::write_back)));

}  // namespace
}  // namespace symsim::test
