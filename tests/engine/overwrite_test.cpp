// SPDX-License-Identifier: MIT
// Tests that both engines agree on when a repeated string instruction that overwrites itself is
// decoded again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/protocol/protocols.h"
#include "tests/support/assembler.h"
#include "tests/support/part_configs.h"
#include "tests/support/print_protocol.h"
#include "tests/support/small_machine.h"

namespace symsim::test {
namespace {

// Copies eight dwords of nops. The third of them lands on the rep movsd itself.
std::vector<std::uint8_t> overwrites_itself() {
    return assemble_program(R"(
        .intel_syntax noprefix
        .globl start
    start:
        mov eax, 0x90909090
        mov edi, 0x200000
        mov ecx, 8
        rep stosd
        mov esi, 0x200000
        mov edi, offset moving - 8
        mov ecx, 8
        jmp moving
        .balign 16
        .fill 8, 1, 0x90
    moving:
        rep movsd
        .fill 40, 1, 0x90
        hlt
    )",
                            SmallMachine::kCode);
}

class Overwrites : public ::testing::TestWithParam<std::tuple<StorePolicy, const Protocol*>> {};

// The machine runs to different times, since where a run pauses must not matter.
TEST_P(Overwrites, TheInstructionIsDecodedAgainBeforeItsNextElement) {
    const auto [policy, protocol] = GetParam();
    ControllerConfig config = test_controller_config();
    config.store_policy = policy;
    const bool blocks = policy == StorePolicy::block_port && protocol == &protocols::write_through;
    const auto code = overwrites_itself();
    for (const unsigned processors : {1u, 2u})
        for (Time to = 2 * kMicrosecond; to < 100 * kMicrosecond; to += 1'234'567) {
            SmallMachine stepped(processors, code, config, protocol);
            SmallMachine ahead(processors, code, config, protocol);
            stepped.step_until(to);
            ahead.run_fast_until(to);
            ASSERT_EQ(stepped.state(), ahead.state()) << processors << " processors, to " << to;
        }
    SmallMachine stepped(1, code, config, protocol);
    stepped.step_until(kMillisecond);
    // Under block-port the fourth element has begun before the third one's store is granted.
    EXPECT_EQ(stepped.processor(0).context().regs[ecx], blocks ? 4u : 5u) << "elements are left";
    EXPECT_TRUE(stepped.processor(0).halted());
}

INSTANTIATE_TEST_SUITE_P(
    Policies, Overwrites,
    ::testing::Combine(::testing::Values(StorePolicy::block_port, StorePolicy::stall,
                                         StorePolicy::buffered),
                       ::testing::Values(&protocols::write_through, &protocols::write_back)),
    [](const auto& info) {
        return fmt::format("{}_{}", static_cast<int>(std::get<0>(info.param)),
                           word(std::get<1>(info.param)));
    });

}  // namespace
}  // namespace symsim::test
