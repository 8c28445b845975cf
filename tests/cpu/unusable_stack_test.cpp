// SPDX-License-Identifier: MIT
// No frame is pushed to a stack that the processor may not write, or that has no room for all of it
// (PRM 6.3.1, CALL, INT). The stack fault leaves memory unchanged.
#include <gtest/gtest.h>

#include "tests/cpu/protected_bench.h"

namespace symsim::test {
namespace {

constexpr int kStackFault = 12;
constexpr unsigned kVector = 0x30;

struct Push {
    const char* name;
    Bytes bytes;
};
const Push kPushes[] = {
    {"push eax", {0x50}},
    {"push 1", {0x6a, 1}},
    {"push [ebx]", {0xff, 0x33}},
    {"push ds", {0x1e}},
    {"pushad", {0x60}},
    {"pushfd", {0x9c}},
    {"enter 8, 1", {0xc8, 8, 0, 1}},
    {"call", {0xe8, 0x10, 0, 0, 0}},
    {"call ebx", {0xff, 0xd3}},
    {"call far", {0x9a, 0x80, 0x10, 0x20, 0, 0x08, 0}},
    {"call through a gate", {0x9a, 0, 0, 0, 0, ProtectedBench::kFree, 0}},
    {"int", {0xcd, kVector}},
};

struct Stack {
    const char* name;
    Segment segment;
    std::uint32_t pointer = Bench::kStack;
};
const Stack kStacks[] = {
    {"null", {}},
    {"not present", {0, 0xffff'ffff, 0x10, 0x13, true}},
    {"read-only", {0, 0xffff'ffff, 0x10, 0x91, true}},
    {"code", {0, 0xffff'ffff, 0x08, kReadExecuteCode, true}},
    {"pointer beyond the limit", {0, Bench::kStack - 0x1000, 0x10, kReadWriteData, true}},
    {"pointer below an expand-down segment", {0, Bench::kStack, 0x10, 0x97, true}},
    {"16 bits, pointer beyond the limit", {Bench::kStack - 0x100, 0x7f, 0x10, 0x93, false}, 0x100},
};

TEST(UnusableStack, NothingIsPushedToIt) {
    for (const Stack& stack : kStacks) {
        for (const Push& push : kPushes) {
            SCOPED_TRACE(testing::Message() << push.name << ", stack " << stack.name);
            ProtectedBench bench;
            bench.call_gate(ProtectedBench::kFree, ProtectedBench::kCode0, Bench::kCode + 0x80, 0);
            bench.vector(kVector, ProtectedBench::kCode0, Bench::kCode + 0x80,
                         ProtectedBench::kInterruptGate);
            bench.handle_by_task(kStackFault);
            bench.processor.system().segments[ss] = stack.segment;
            bench.processor.system_changed();
            bench.regs()[esp] = stack.pointer;
            bench.regs()[ebx] = Bench::kData;
            for (Address a = Bench::kStack - 0x80; a < Bench::kStack; a += 4)
                bench.memory.write(a, 4, 0x5a5a'5a5a);
            EXPECT_EQ(bench.run(push.bytes), StopReason::halted) << bench.complaint();
            EXPECT_EQ(bench.task(), ProtectedBench::kTask1);
            EXPECT_EQ(bench.error_code(), 0u);
            for (Address a = Bench::kStack - 0x80; a < Bench::kStack; a += 4)
                EXPECT_EQ(bench.memory.read(a, 4), 0x5a5a'5a5au) << Bench::kStack - a;
        }
    }
}

// Pops look at type and presence as well.
TEST(UnusableStack, NothingIsPoppedFromIt) {
    for (const Bytes& bytes : {Bytes{0x58}, {0x1f}, {0x61}, {0x9d}, {0xc9}, {0xc3}, {0xcb}, {0xcf}})
        for (const Stack& stack : {kStacks[0], kStacks[1]}) {
            ProtectedBench bench;
            bench.regs()[ebp] = Bench::kStack;
            bench.processor.system().segments[ss] = stack.segment;
            bench.processor.system_changed();
            EXPECT_EQ(bench.run(bytes), StopReason::failed);
            EXPECT_EQ(bench.exception(), std::pair(kStackFault, 0u)) << stack.name << +bytes[0];
        }
}

// The handler's frame would be written through ss, which is null: a double fault is due.
TEST(UnusableStack, AHandlerOfAnExceptionAboutItsSelectorCannotBeEnteredOnIt) {
    ProtectedBench bench;
    bench.selector_of_task(1, ss, 0);
    bench.vector(10, ProtectedBench::kCode0, Bench::kCode + 0x80, ProtectedBench::kInterruptGate);
    bench.vector(8, ProtectedBench::kTask2, 0, ProtectedBench::kTaskGateByte);
    const Address top = Bench::kStack - 0x800;  // of task 1
    EXPECT_EQ(bench.jump(ProtectedBench::kTask1), StopReason::halted) << bench.complaint();
    EXPECT_EQ(bench.task(), ProtectedBench::kTask2);
    EXPECT_EQ(bench.error_code(), 0u);
    for (Address a = top - 0x20; a < top; a += 4) EXPECT_EQ(bench.memory.read(a, 4), 0u);
}

// From ring 3, through a gate to a stack of ring 0 that has room for part of the frame.
TEST(UnusableStack, AnInnerStackNeedsRoomForTheWholeFrame) {
    constexpr std::uint16_t kGate = ProtectedBench::kFree, kInner = ProtectedBench::kFree + 8;
    const Bytes interrupt = {0xcd, kVector}, call = {0x9a, 0, 0, 0, 0, kGate | 3, 0};
    for (const auto& [bytes, needed] : {std::pair{interrupt, 20u}, {call, 24u}})
        for (const unsigned room : {needed - 4, needed}) {
            ProtectedBench bench;
            bench.descriptor(kInner, Bench::kData, 0xfff, 0x93, ProtectedBench::k32);
            bench.memory.write(ProtectedBench::tss(0) + 4, 4, room);
            bench.memory.write(ProtectedBench::tss(0) + 8, 4, kInner);
            bench.call_gate(kGate, ProtectedBench::kCode0, Bench::kCode + 0x80, 3, 2);
            bench.vector(kVector, ProtectedBench::kCode0, Bench::kCode + 0x80,
                         ProtectedBench::kInterruptGate | kRing3);
            bench.handle_by_task(kStackFault);
            bench.enter_ring_3();
            EXPECT_EQ(bench.run(bytes), StopReason::halted) << bench.complaint();
            if (room == needed) {
                EXPECT_EQ(bench.task(), ProtectedBench::kTask0);
                EXPECT_EQ(bench.regs()[esp], 0u);
                continue;
            }
            EXPECT_EQ(bench.task(), ProtectedBench::kTask1);
            EXPECT_EQ(bench.error_code(), kInner);
            for (Address a = 0; a < 0x20; a += 4)
                EXPECT_EQ(bench.memory.read(Bench::kData + a, 4), 0u);
        }
}

// The error code of a task that handles an exception: the fault belongs to that task.
TEST(UnusableStack, ATaskWithoutRoomForItsErrorCodeGetsAStackFault) {
    ProtectedBench bench;
    constexpr std::uint16_t kSmall = ProtectedBench::kFree;
    bench.descriptor(kSmall, Bench::kData, 0xfff, 0x93, ProtectedBench::k32);
    bench.selector_of_task(1, ss, kSmall);
    bench.memory.write(ProtectedBench::tss(1) + 0x38, 4, 2);  // esp
    bench.handle_by_task(13);
    bench.vector(kStackFault, ProtectedBench::kTask2, 0, ProtectedBench::kTaskGateByte);
    EXPECT_EQ(bench.run({0xcd, 0x3f}), StopReason::halted) << bench.complaint();  // no such gate
    EXPECT_EQ(bench.task(), ProtectedBench::kTask2);
    EXPECT_EQ(bench.memory.read(ProtectedBench::tss(2), 2), ProtectedBench::kTask1) << "back link";
    EXPECT_EQ(bench.error_code(), 1u) << "EXT: the first exception was not an instruction's";
    EXPECT_EQ(bench.memory.read(Bench::kData, 4), 0u);
}

TEST(UnusableStack, OfRealModeNeedsRoomForTheWholeFrame) {
    for (const Bytes& bytes : {Bytes{0xcd, kVector}, {0x9a, 0, 0, 0x34, 0x12, 0, 0}}) {
        Bench bench;
        System& system = bench.processor.system();
        system.cr0 &= ~cr0::kProtection;
        system.idtr.limit = 0x3ff;
        system.segments[ss] = {Bench::kData, 0x0fff, 0, kReadWriteData, false};
        bench.processor.system_changed();
        bench.regs()[esp] = 4;
        EXPECT_EQ(bench.run(bytes), StopReason::failed);
        for (Address a = 0; a < 0x1'0000; a += 4)
            ASSERT_EQ(bench.memory.read(Bench::kData + a, 4), 0u) << a;
    }
}

}  // namespace
}  // namespace symsim::test
