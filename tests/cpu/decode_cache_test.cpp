// SPDX-License-Identifier: MIT
// DecodeCache: which instructions it decodes together, how it links them, and that it decodes code
// again after a store to it.
#include "sim/cpu/core/decode_cache.h"

#include <gtest/gtest.h>

#include "sim/base/activity.h"
#include "sim/base/probe_point.h"
#include "tests/cpu/bench.h"

namespace symsim::test {
namespace {

constexpr std::uint32_t kLineBytes = 16;

class CodeTest : public testing::Test {
  protected:
    void put(Address address, const Bytes& bytes) {
        for (const std::uint8_t b : bytes) {
            memory_.write(address, 1, b);
            code_.written(address++, 1);
        }
    }
    const Probe probe_{0x1000, ProbeKind::message, {}};
    const ProbeRange probes_{&probe_, &probe_ + 1};
    Memory memory_{1u << 20};
    DecodeCache code_{memory_,
                      [this](Address a) {
                          return CodeAttributes{a < 0x2000 ? Activity::user : Activity::spin,
                                                a == 0x1000 ? probes_ : ProbeRange{}};
                      },
                      Isa::i386, kLineBytes};
};

TEST_F(CodeTest, LinksEachInstructionToTheNext) {
    put(0x1000, {0x89, 0xc8, 0x90});
    const Op* first = code_.at(0x1000, true);
    ASSERT_NE(first->next, nullptr);
    EXPECT_EQ(first->next->address, 0x1002u);
    EXPECT_EQ(code_.at(0x1002, true), first->next);
    EXPECT_NE(first->next->execute, nullptr);
}

TEST_F(CodeTest, StoresSequentialInstructionsSideBySideBeforeBranchTargets) {
    put(0x1100, {0x75, 0x10, 0xb8, 1, 0, 0, 0, 0xeb, 0x10, 0x90});
    const Op* const first = code_.at(0x1100, true);
    const Op* op = first;
    for (const Address address : {0x1100u, 0x1102u, 0x1107u, 0x1109u, 0x110au}) {
        ASSERT_EQ(op->address, address);
        EXPECT_NE(op->execute, nullptr) << "decoded with the first";
        ASSERT_EQ(op->next, op + 1);
        op = op->next;
    }
    EXPECT_EQ(first->target->address, 0x1112u);
    EXPECT_EQ(first[2].target->address, 0x1119u);
}

TEST_F(CodeTest, DecodingAheadStopsAtThePageEndAndAtAnUndefinedOpcode) {
    put(0x1f00, {0x90, 0xff, 0xff, 0x90});
    EXPECT_EQ(code_.at(0x1f00, true)->next->length, 1) << "of two bytes, ff ff, one complains";
    EXPECT_EQ(code_.known(0x1f02, true), nullptr);
    put(0x2ffe, {0x90, 0x90, 0x90});
    EXPECT_EQ(code_.at(0x2ffe, true)->next->next, nullptr);
    EXPECT_EQ(code_.known(0x3000, true), nullptr);
}

TEST_F(CodeTest, WatchesCodeThatWasDecodedInAdvance) {
    put(0x1000, {0x90, 0xb8, 1, 0, 0, 0});
    const Op* const next = code_.at(0x1000, true)->next;
    EXPECT_TRUE(code_.covers(0x1002, 4));
    put(0x1002, {2});
    EXPECT_EQ(next->execute, nullptr);
    EXPECT_EQ(code_.at(0x1001, true), next);
    EXPECT_EQ(next->immediate, 2u);
}

TEST_F(CodeTest, RecordsTheRegionAndTheProbeOfAnAddress) {
    EXPECT_EQ(code_.at(0x1000, true)->region, Activity::user);
    EXPECT_TRUE(code_.at(0x1000, true)->probed());
    EXPECT_EQ(code_.at(0x3000, true)->region, Activity::spin);
    EXPECT_FALSE(code_.at(0x3000, true)->probed());
}

TEST_F(CodeTest, RecordsWhetherAnInstructionIsInOneLine) {
    put(0x100d, {0x89, 0xc8, 0xb8, 1, 0, 0, 0});
    EXPECT_TRUE(code_.at(0x100d, true)->in_one_line);
    EXPECT_FALSE(code_.at(0x100f, true)->in_one_line);
}

TEST_F(CodeTest, KnowsTheTargetOfARelativeBranchOnItsPage) {
    put(0x1000, {0x75, 0x0e, 0xeb, 0xfc, 0xe9, 0, 0x10, 0, 0, 0xff, 0xe0, 0x66, 0xe9, 0, 0});
    EXPECT_EQ(code_.at(0x1000, true)->target, code_.at(0x1010, true));
    EXPECT_EQ(code_.at(0x1002, true)->target, code_.at(0x1000, true));
    EXPECT_EQ(code_.at(0x1004, true)->target, nullptr) << "on another page";
    EXPECT_EQ(code_.at(0x1009, true)->target, nullptr) << "jmp eax";
    EXPECT_EQ(code_.at(0x100b, true)->target, nullptr) << "cut to 16 bits";
}

TEST_F(CodeTest, AnInstructionIsSimpleWithoutProbeAndLock) {
    EXPECT_EQ(code_.at(0x1000, true)->entry, kProbedEntry);
    EXPECT_EQ(code_.at(0x1002, true)->entry, static_cast<std::uint8_t>(Activity::user));
    put(0x1004, {0x87, 0x03});
    EXPECT_FALSE(code_.at(0x1004, true)->simple) << "xchg [ebx], eax";
    EXPECT_TRUE(code_.at(0x1006, true)->simple);
}

TEST_F(CodeTest, AProbedOpContainsTheInstructionWithoutItsProbes) {
    put(0x1000, {0xb8, 1, 0, 0, 0, 0x90});
    const Op* const op = code_.at(0x1000, true);
    const auto& probed = static_cast<const ProbedOp&>(*op);
    EXPECT_EQ(probed.probes.first, &probe_);
    EXPECT_EQ(op->fast, pass_probes);
    EXPECT_FALSE(op->simple);
    const Op& inner = probed.instruction;
    EXPECT_EQ(inner.execute, op->execute);
    EXPECT_NE(inner.fast, pass_probes);
    EXPECT_NE(inner.fast, leave_to_execute);
    EXPECT_EQ(inner.entry, static_cast<std::uint8_t>(Activity::user));
    EXPECT_TRUE(inner.simple);
    EXPECT_EQ(inner.next, op->next);
    code_.written(0x1001, 1);
    EXPECT_EQ(inner.execute, nullptr) << "both are forgotten";
    EXPECT_EQ(inner.fast, leave_to_execute);
    put(0x1000, {0x87, 0x03});
    code_.at(0x1000, true);
    EXPECT_EQ(op->fast, leave_to_execute) << "xchg [ebx], eax cannot take the fast path";
    EXPECT_FALSE(inner.simple) << "it locks";
}

TEST_F(CodeTest, DecodesWrittenCodeAgainIntoTheSameOp) {
    put(0x1000, {0xb8, 1, 0, 0, 0});
    const Op* op = code_.at(0x1000, true);
    memory_.write(0x1001, 1, 2);
    code_.written(0x1001, 1);
    EXPECT_EQ(op->execute, nullptr);
    EXPECT_EQ(code_.at(0x1000, true), op);
    EXPECT_EQ(op->immediate, 2u);
}

TEST_F(CodeTest, ForgetsAnInstructionOnlyIfItsOwnBytesAreWritten) {
    put(0x1000, {0xb8, 1, 0, 0, 0, 0x90});
    const Op* op = code_.at(0x1000, true);
    const Op* next = code_.at(0x1005, true);
    code_.written(0x0ffc, 4);
    code_.written(0x1006, 4);
    EXPECT_NE(op->execute, nullptr);
    EXPECT_NE(next->execute, nullptr);
    code_.written(0x1004, 1);
    EXPECT_EQ(op->execute, nullptr);
    EXPECT_NE(next->execute, nullptr);
}

TEST_F(CodeTest, ForgetsAnInstructionThatReachesIntoThePageWritten) {
    put(0x1ffe, {0xb8, 1, 0, 0, 0});
    const Op* op = code_.at(0x1ffe, true);
    code_.written(0x2002, 1);
    EXPECT_EQ(op->execute, nullptr);
}

TEST_F(CodeTest, GivesAnOpWithAComplaintOutsideMemory) {
    for (const Address address : {Address{1u << 20}, Address{0xffffffff}}) {
        const Op* op = code_.at(address, true);
        ASSERT_NE(op, nullptr);
        ASSERT_NE(op->execute, nullptr);
        ASSERT_NE(op->complaint, nullptr);
        EXPECT_EQ(code_.at(address, true), op);
    }
}

TEST_F(CodeTest, DoesNotReadPastTheEndOfMemory) {
    put((1u << 20) - 1, {0xb8});
    const Op* op = code_.at((1u << 20) - 1, true);
    ASSERT_NE(op->complaint, nullptr);
    EXPECT_NE(op->complaint->what.find("past the end of memory"), std::string::npos);
}

TEST(SelfModifyingCode, IsExecutedAsWritten) {
    Bench bench;
    bench.regs()[ebx] = Bench::kCode;
    // mov eax, 1; mov dword [ebx + 1], 2; inc edx; cmp edx, 2; jne start
    bench.run({0xb8, 1, 0, 0, 0, 0xc7, 0x43, 1, 2, 0, 0, 0, 0x42, 0x83, 0xfa, 2, 0x75, 0xee});
    EXPECT_EQ(bench.regs()[edx], 2u);
    EXPECT_EQ(bench.regs()[eax], 2u);
}

}  // namespace
}  // namespace symsim::test
