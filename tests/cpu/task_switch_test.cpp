// SPDX-License-Identifier: MIT
// Task switches: the order of checks (PRM table 7-1), and what a switch has written when a check
// fails. The exception belongs to the new task; no gate takes it, so the failure names it.
#include <gtest/gtest.h>

#include "tests/cpu/protected_bench.h"

namespace symsim::test {
namespace {

constexpr int kInvalidTss = 10, kNotPresent = 11, kStackFault = 12;
constexpr std::uint16_t kBad = ProtectedBench::kFree;

struct Case {
    const char* name;
    Seg which;
    unsigned access;
    unsigned rpl;
    int vector;
};
constexpr unsigned kAbsent = 0x80;  // to be cleared: P
const Case kCases[] = {
    {"absent stack of another ring", ss, 0xf2 & ~kAbsent, 0, kStackFault},
    {"absent stack, selector of another ring", ss, 0x92 & ~kAbsent, 3, kStackFault},
    {"absent read-only stack", ss, 0x90 & ~kAbsent, 0, kInvalidTss},
    {"stack of another ring", ss, 0xf2, 0, kInvalidTss},
    {"stack, selector of another ring", ss, 0x92, 3, kInvalidTss},
    {"absent stack", ss, 0x92 & ~kAbsent, 0, kStackFault},
    {"absent code of another ring", cs, 0xfa & ~kAbsent, 0, kNotPresent},
    {"code of another ring", cs, 0xfa, 0, kInvalidTss},
    {"absent conforming code of another ring", cs, 0xfe & ~kAbsent, 0, kNotPresent},
    {"absent data as code", cs, 0x92 & ~kAbsent, 0, kInvalidTss},
    {"absent data", ds, 0x92 & ~kAbsent, 0, kNotPresent},
    {"absent data, selector of another ring", es, 0x92 & ~kAbsent, 3, kNotPresent},
    {"data, selector of another ring", fs, 0x92, 3, kInvalidTss},
    {"absent code that is not readable", gs, 0x98 & ~kAbsent, 0, kInvalidTss},
};

TEST(TaskSwitch, ChecksTypeThenPresenceThenPrivilege) {
    for (const Case& c : kCases) {
        SCOPED_TRACE(c.name);
        ProtectedBench bench;
        bench.descriptor(kBad, 0, 0xf'ffff, c.access, ProtectedBench::k4K32);
        bench.selector_of_task(1, c.which, static_cast<std::uint16_t>(kBad | c.rpl));
        EXPECT_EQ(bench.jump(ProtectedBench::kTask1), StopReason::failed);
        EXPECT_EQ(bench.exception(), std::pair(c.vector, std::uint32_t{kBad}));
        EXPECT_EQ(bench.task(), ProtectedBench::kTask1) << "the new task has the exception";
        EXPECT_EQ(bench.access_of(kBad), c.access) << "a refused descriptor is not accessed";
    }
}

TEST(TaskSwitch, SetsTheAccessedBitOfWhatItLoads) {
    ProtectedBench bench;
    const auto selector = [](Seg which) { return static_cast<std::uint16_t>(kBad + 8 * which); };
    for (const Seg which : {ss, ds, gs}) {
        bench.descriptor(selector(which), 0, 0xf'ffff, 0x92, ProtectedBench::k4K32);
        bench.selector_of_task(1, which, selector(which));
    }
    EXPECT_EQ(bench.jump(ProtectedBench::kTask1), StopReason::halted) << bench.complaint();
    for (const Seg which : {ss, ds, gs}) {
        EXPECT_EQ(bench.access_of(selector(which)), 0x93u);
        EXPECT_EQ(bench.processor.system().segments[which].access, 0x93u);
    }
}

// PRM 7.5: the outgoing state is saved (step 3) before the incoming one is loaded (step 5).
TEST(TaskSwitch, AnIretToTheCurrentTaskLoadsTheStateThatItHasSaved) {
    ProtectedBench bench;
    bench.memory.write(ProtectedBench::tss(0), 2, ProtectedBench::kTask0);  // back link
    bench.flags().set(Flags::kNested | Flags::kCarry);
    bench.regs()[ecx] = 0x1234'5678;
    const Registers before = bench.regs();
    EXPECT_EQ(bench.run({0xcf}), StopReason::halted) << bench.complaint();
    EXPECT_EQ(bench.eip(), Bench::kCode + 1);
    EXPECT_EQ(bench.regs().r, before.r);
    EXPECT_EQ(bench.flags().value(), Flags::kCarry | Flags::kAlwaysSet);
}

// PRM 12.2.3 and 12.3.1: BT of DR6.
TEST(TaskSwitch, TheTrapBitOfATssRaisesADebugExceptionThatNamesIt) {
    ProtectedBench bench;
    bench.memory.write(ProtectedBench::tss(1) + 0x64, 2, 1);
    bench.vector(1, ProtectedBench::kCode0, Bench::kCode + 0x80, ProtectedBench::kInterruptGate);
    EXPECT_EQ(bench.jump(ProtectedBench::kTask1), StopReason::halted) << bench.complaint();
    EXPECT_EQ(bench.task(), ProtectedBench::kTask1);
    EXPECT_EQ(bench.eip(), Bench::kCode + 0x80);
    EXPECT_EQ(bench.memory.read(bench.regs()[esp], 4), Bench::kCode + 0x100) << "before the task's";
    EXPECT_EQ(bench.processor.system().dr[6], 0xffff'8ff0u);
}

}  // namespace
}  // namespace symsim::test
