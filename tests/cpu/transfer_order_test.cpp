// SPDX-License-Identifier: MIT
// The order of checks in transfers to another code segment. The manual checks the new eip against
// the limit before it loads segments and pushes a frame (PRM, operation of CALL, JMP, RET, IRET and
// INT). So a transfer beyond the limit sets no accessed bit and writes no stack.
#include <gtest/gtest.h>

#include <utility>

#include "tests/cpu/protected_bench.h"

namespace symsim::test {
namespace {

constexpr int kProtection = 13;
constexpr unsigned kVector = 0x30;
constexpr Offset kBeyond = 0x2000;
constexpr std::uint16_t kShort = ProtectedBench::kFree;      // code with a limit of 0xfff
constexpr std::uint16_t kInner = ProtectedBench::kFree + 8;  // a stack for ring 0
constexpr std::uint16_t kGate = ProtectedBench::kFree + 16;
constexpr std::uint16_t kShort3 = ProtectedBench::kFree + 24 + 3;  // for ring 3
constexpr std::uint16_t kOuter = ProtectedBench::kFree + 32 + 3;   // a stack for ring 3

class TransferOrder : public testing::Test {
  protected:
    TransferOrder() {
        bench.descriptor(kShort, 0, 0xfff, 0x9a, ProtectedBench::k32);
        bench.descriptor(kInner, 0, 0xf'ffff, 0x92, ProtectedBench::k4K32);
        bench.descriptor(kShort3, 0, 0xfff, 0xfa, ProtectedBench::k32);
        bench.descriptor(kOuter, 0, 0xf'ffff, 0xf2, ProtectedBench::k4K32);
        bench.memory.write(ProtectedBench::tss(0) + 8, 4, kInner);
        bench.call_gate(kGate, kShort, kBeyond, 3);
        bench.vector(kVector, kShort, kBeyond, ProtectedBench::kInterruptGate | kRing3);
        bench.handle_by_task(kProtection);
        for (const Address top : kTops)
            for (unsigned n = 1; n <= kDwords; ++n) bench.memory.write(top - 4 * n, 4, kPattern);
    }
    void expect_refused() {
        EXPECT_EQ(bench.task(), ProtectedBench::kTask1) << bench.complaint();
        EXPECT_EQ(bench.error_code(), 0u);
        EXPECT_EQ(bench.access_of(kShort), 0x9au);
        EXPECT_EQ(bench.access_of(kInner), 0x92u);
        EXPECT_EQ(bench.access_of(kShort3), 0xfau);
        EXPECT_EQ(bench.access_of(kOuter), 0xf2u);
        for (const Address top : kTops)
            for (unsigned n = 1; n <= kDwords; ++n)
                EXPECT_EQ(bench.memory.read(top - 4 * n, 4), kPattern) << top << " - 4 * " << n;
    }

    // The current stack, and the one that TSS 0 has for ring 0.
    static constexpr Address kTops[] = {Bench::kStack, Bench::kStack - 0x600};
    static constexpr unsigned kDwords = 12;
    static constexpr std::uint32_t kPattern = 0x5a5a'5a5a;

    ProtectedBench bench;
};

TEST_F(TransferOrder, AFarJumpBeyondTheLimitChangesNothing) {
    bench.jump(kShort, kBeyond);
    expect_refused();
}

TEST_F(TransferOrder, AFarCallBeyondTheLimitChangesNothing) {
    bench.call(kShort, kBeyond);
    expect_refused();
}

TEST_F(TransferOrder, AJumpThroughAGateBeyondTheLimitChangesNothing) {
    bench.jump(kGate);
    expect_refused();
}

TEST_F(TransferOrder, ACallThroughAGateBeyondTheLimitChangesNothing) {
    bench.call(kGate);
    expect_refused();
}

TEST_F(TransferOrder, ACallToAnInnerRingBeyondTheLimitChangesNothing) {
    bench.enter_ring_3();
    bench.call(kGate | 3);
    expect_refused();
}

TEST_F(TransferOrder, AnInterruptBeyondTheLimitChangesNothing) {
    bench.run({0xcd, kVector});
    expect_refused();
}

TEST_F(TransferOrder, AnInterruptToAnInnerRingBeyondTheLimitChangesNothing) {
    bench.enter_ring_3();
    bench.run({0xcd, kVector});
    expect_refused();
}

// A far ret (cb) and iretd (cf), to the same ring and to ring 3.
class ReturnOrder : public TransferOrder,
                    public testing::WithParamInterface<std::pair<std::uint8_t, bool>> {};

TEST_P(ReturnOrder, AReturnBeyondTheLimitChangesNothing) {
    const auto [opcode, outer] = GetParam();
    Address at = Bench::kStack;
    const auto put = [&](std::uint32_t value) {
        bench.memory.write(at, 4, value);
        at += 4;
    };
    put(kBeyond);
    put(outer ? kShort3 : kShort);
    if (opcode == 0xcf) put(Flags::kAlwaysSet);
    put(Bench::kData);
    put(kOuter);
    bench.run({opcode});
    expect_refused();
}

INSTANTIATE_TEST_SUITE_P(Returns, ReturnOrder,
                         testing::Values(std::pair(0xcb, false), std::pair(0xcb, true),
                                         std::pair(0xcf, false), std::pair(0xcf, true)));

// PRM, IRET, STACK-RETURN-TO-V86: the instruction pointer must be within the limit.
TEST_F(TransferOrder, AReturnToVirtual8086ModeBeyond64KRaisesAFault) {
    const Address top = Bench::kStack;
    bench.memory.write(top, 4, 0x1'0000);
    bench.memory.write(top + 4, 4, 0x1000);
    bench.memory.write(top + 8, 4, Flags::kVirtual | Flags::kAlwaysSet);
    bench.run({0xcf});
    expect_refused();
    // What the task switch of the handler has saved.
    EXPECT_EQ(bench.memory.read(ProtectedBench::tss(0) + 0x20, 4), Bench::kCode);
    EXPECT_FALSE(bench.memory.read(ProtectedBench::tss(0) + 0x24, 4) & Flags::kVirtual);
}

// SDM, operation of CALL: the check comes before the push.
TEST_F(TransferOrder, ANearCallBeyondTheLimitPushesNothing) {
    bench.processor.system().segments[cs].limit = Bench::kCode + 0x1fff;
    bench.processor.system_changed();
    bench.run({0xe8, 0, 0x30, 0, 0});
    expect_refused();
}

// What passes all checks is marked, and the frame is pushed.
TEST_F(TransferOrder, ATransferWithinTheLimitSetsTheAccessedBits) {
    bench.descriptor(kShort, Bench::kCode, 0xfff, 0x9a, ProtectedBench::k32);
    bench.vector(kVector, kShort, 0x80, ProtectedBench::kInterruptGate | kRing3);
    bench.enter_ring_3();
    bench.run({0xcd, kVector});
    EXPECT_EQ(bench.task(), ProtectedBench::kTask0) << bench.complaint();
    EXPECT_EQ(bench.access_of(kShort), 0x9bu);
    EXPECT_EQ(bench.access_of(kInner), 0x93u);
    EXPECT_EQ(bench.processor.system().segments[ss].access, 0x93u);
    EXPECT_EQ(bench.regs()[esp], Bench::kStack - 0x600 - 20);
    EXPECT_EQ(bench.memory.read(Bench::kStack - 0x600 - 8, 4), Bench::kStack);
    EXPECT_EQ(bench.memory.read(Bench::kStack - 0x600 - 20, 4), Bench::kCode + 2);
}

}  // namespace
}  // namespace symsim::test
