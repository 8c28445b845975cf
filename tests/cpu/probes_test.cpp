// SPDX-License-Identifier: MIT
// Probe points: the fast engine, which uses the fast path, reports the same probes as stepping
// does, at the same times and with the same values.
#include "sim/cpu/core/probes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "sim/base/activity.h"
#include "sim/base/probe_point.h"
#include "sim/protocol/protocols.h"
#include "tests/support/assembler.h"
#include "tests/support/part_configs.h"
#include "tests/support/small_machine.h"

namespace symsim::test {
namespace {

TEST(ProbePoints, AreFoundByAddressInTheOrderGiven) {
    const ProbePoints points({{0x108, ProbeKind::lock_release, {}},
                              {0x104, ProbeKind::message, {}},
                              {0x108, ProbeKind::lock_attempt, {}}});
    std::vector<ProbeKind> kinds;
    for (const Probe& probe : points.at(0x108)) kinds.push_back(probe.kind);
    EXPECT_EQ(kinds, (std::vector{ProbeKind::lock_release, ProbeKind::lock_attempt}));
    EXPECT_EQ(points.at(0x104).begin()->kind, ProbeKind::message);
    for (const Address none : {0x103u, 0x105u, 0x109u}) EXPECT_TRUE(points.at(none).empty());
    EXPECT_TRUE(ProbePoints().at(0).empty());
}

constexpr Time kWarm = 200 * kMicrosecond;
constexpr Address kCode = SmallMachine::kCode;

ProbeOperand in_register(Reg reg, std::uint8_t size = 4, std::uint8_t shift = 0) {
    ProbeOperand operand;
    operand.kind = ProbeOperand::Kind::reg;
    operand.base = reg;
    operand.size = size;
    operand.shift = shift;
    return operand;
}
ProbeOperand immediate(std::uint32_t value) {
    ProbeOperand operand;
    operand.disp = value;
    return operand;
}
ProbeOperand in_memory(Reg base, std::uint32_t displacement) {
    ProbeOperand operand;
    operand.kind = ProbeOperand::Kind::mem;
    operand.base = base;
    operand.disp = displacement;
    return operand;
}

using Told = std::tuple<Time, Mark::What, Activity, ProbeKind, std::uint32_t, Address>;
std::vector<Told> told(const SmallMachine& machine, Time from, Time to) {
    std::vector<Told> all;
    for (const auto& [processor, m] : machine.observer.marks)
        if (m.time >= from && m.time < to)
            all.emplace_back(m.time, m.what, m.activity, m.probe, m.value, m.address);
    return all;
}

// One iteration. All its instructions take the fast path, except where the loop jumps back to its
// probed start. Beside each instruction are its offset and its probe points.
const char* const kTurn =
    "mov ebx, 0x200000;"    // 0
    "again: inc eax;"       // 5: attempt
    "mov ecx, [ebx];"       // 6: acquired, and thread_start
    "add ecx, eax;"         // 8
    "mov [ebx + 64], ecx;"  // 10: release
    "mov edx, ecx;"         // 13
    "not edx;"              // 15: message
    "cmp edx, 0;"           // 17
    "je again;"             // 20: region_begin
    "jmp again";            // 22

void mark(SmallMachine& machine) {
    machine.probe(kCode + 5, ProbeKind::lock_attempt, immediate(77));
    machine.probe(kCode + 6, ProbeKind::lock_acquired, in_register(eax));
    machine.probe(kCode + 6, ProbeKind::thread_start, in_register(ecx, 1, 8));
    machine.probe(kCode + 10, ProbeKind::lock_release, in_register(ebx));
    machine.probe(kCode + 15, ProbeKind::message, in_memory(ebx, 64));
    machine.probe(kCode + 20, ProbeKind::region_begin, in_register(edx, 2));
    machine.memory.write(SmallMachine::kData, 4, 0x1234);
}

TEST(Probes, FireOnTheFastPathAsTheyDoWhenStepped) {
    const auto code = assemble({kTurn})[0];
    for (const StorePolicy policy : {StorePolicy::buffered, StorePolicy::block_port}) {
        ControllerConfig config = test_controller_config();
        config.store_policy = policy;
        SmallMachine stepped(2, code, config), fast(2, code, config);
        mark(stepped);
        mark(fast);
        stepped.step_until(2 * kWarm);
        fast.run_fast_until(2 * kWarm);
        for (const ProcessorId p : {0u, 1u}) EXPECT_EQ(stepped.registers(p), fast.registers(p));
        // The two engines report the processors in different orders.
        auto expected = told(stepped, 0, kWarm), seen = told(fast, 0, kWarm);
        std::sort(expected.begin(), expected.end());
        std::sort(seen.begin(), seen.end());
        EXPECT_GT(expected.size(), 500u);
        EXPECT_EQ(expected, seen);
    }
}

// Processor 0 only counts and could run far ahead of the bus. Processor 1 writes the dword that the
// probe point of processor 0 reads.
TEST(Probes, ReadMemoryAsOfTheirOwnTime) {
    const auto code =
        assemble({"test edi, edi;"
                  "je counts;"
                  "writes: inc eax;"
                  "mov [0x200040], eax;"
                  "jmp writes;"
                  "counts: inc ecx;"  // 12
                  "mov edx, ecx;"     // 13: message
                  "jmp counts"})[0];
    for (const Protocol* const protocol : {&protocols::write_through, &protocols::write_back}) {
        SmallMachine stepped(2, code, test_controller_config(), protocol),
            fast(2, code, test_controller_config(), protocol);
        for (SmallMachine* machine : {&stepped, &fast}) {
            machine->probe(kCode + 13, ProbeKind::message,
                           in_memory(static_cast<Reg>(kNoReg), SmallMachine::kData + 0x40));
            machine->processor(1).context().regs[edi] = 1;
        }
        stepped.step_until(kWarm);
        fast.run_fast_until(kWarm);
        const auto seen = told(fast, 0, kWarm);
        EXPECT_EQ(told(stepped, 0, kWarm), seen);
        ASSERT_FALSE(seen.empty());
        EXPECT_GT(std::get<4>(seen.back()), 100u) << "what has been written since";
    }
}

// The releasing store waits for the store before it, so the instruction begins twice. The critical
// section must still end once in each iteration.
TEST(Probes, AtALockReleaseThatWaitsEndTheCriticalSection) {
    ControllerConfig config = test_controller_config();
    config.store_policy = StorePolicy::block_port;
    SmallMachine machine(1,
                         assemble({"mov ebx, 0x200000;"
                                   "again: mov [ebx], eax;"    // 5: acquired
                                   "mov [ebx + 64], ecx;"      // 7: release
                                   "inc eax; jmp again"})[0],  // 10
                         config);
    machine.probe(kCode + 5, ProbeKind::lock_acquired);
    machine.probe(kCode + 7, ProbeKind::lock_release);
    machine.run_fast_until(2 * kWarm);
    std::vector<std::pair<Activity, Address>> entered;
    for (const auto& [time, what, activity, kind, value, address] : told(machine, kWarm, 2 * kWarm))
        if (what == Mark::What::activity) entered.emplace_back(activity, address - kCode);
    ASSERT_GT(entered.size(), 50u);
    for (const auto& [activity, offset] : entered)
        EXPECT_EQ(activity, offset == 5 ? Activity::critical : Activity::user) << offset;
}

// Process 0 is preempted while it holds a lock, and process 1 runs in between.
TEST(Probes, OfProcessesLetTheActivityFollowTheProcess) {
    SmallMachine stepped(1, std::vector<std::uint8_t>(16, 0x90)),
        fast(1, std::vector<std::uint8_t>(16, 0x90));
    for (SmallMachine* machine : {&stepped, &fast}) {
        machine->probe(kCode, ProbeKind::process_create, immediate(0));
        machine->probe(kCode, ProbeKind::process_create, immediate(1));
        machine->probe(kCode + 2, ProbeKind::process_run, immediate(0));
        machine->probe(kCode + 3, ProbeKind::lock_acquired);
        machine->probe(kCode + 4, ProbeKind::process_preempt, immediate(0));
        machine->probe(kCode + 5, ProbeKind::process_run, immediate(1));
        machine->probe(kCode + 6, ProbeKind::process_yield, immediate(1));
        machine->probe(kCode + 7, ProbeKind::process_run, immediate(0));
        machine->probe(kCode + 8, ProbeKind::lock_release);
    }
    stepped.step_until(20 * kMicrosecond);
    fast.run_fast_until(20 * kMicrosecond);
    std::vector<std::pair<Activity, Address>> entered;
    const auto seen = told(fast, 0, 20 * kMicrosecond);
    for (const auto& [time, what, activity, kind, value, address] : seen)
        if (what == Mark::What::activity) entered.emplace_back(activity, address - kCode);
    EXPECT_EQ(entered, (std::vector<std::pair<Activity, Address>>{{Activity::user, 0},
                                                                  {Activity::critical, 3},
                                                                  {Activity::user, 4},
                                                                  {Activity::critical, 7},
                                                                  {Activity::user, 9}}));
    EXPECT_EQ(seen, told(stepped, 0, 20 * kMicrosecond));
}

TEST(Probes, OfProcessesInAnImpossibleOrderAreTheGuestsFailure) {
    SmallMachine machine(1, std::vector<std::uint8_t>(16, 0x90));
    machine.probe(kCode + 1, ProbeKind::process_create, immediate(3));
    machine.probe(kCode + 5, ProbeKind::process_preempt, immediate(3));
    EXPECT_LT(machine.run_fast_until(20 * kMicrosecond), 20 * kMicrosecond);
    const GuestFailure& failure = machine.processor(0).failure();
    EXPECT_EQ(failure.what,
              "processor 0 passes process_preempt of process 3, which is ready and does not run");
    EXPECT_EQ(failure.eip, kCode + 5);
    EXPECT_EQ(machine.observer.marks.back().second.probe, ProbeKind::process_create);
}

TEST(Probes, OfAnIterationAreReportedInOrderWithActivityChanges) {
    SmallMachine machine(1, assemble({kTurn})[0]);
    mark(machine);
    machine.run_fast_until(2 * kWarm);
    const auto all = told(machine, kWarm, 2 * kWarm);
    const auto first = std::find_if(all.begin(), all.end(), [](const Told& t) {
        return std::get<ProbeKind>(t) == ProbeKind::lock_attempt;
    });
    ASSERT_GT(all.end() - first, 8);
    const std::uint32_t eax_now = std::get<4>(first[1]);
    const std::uint32_t ecx_now = 0x1234 + eax_now;
    const auto row = [&](std::ptrdiff_t n) {
        const auto& [time, what, activity, kind, value, address] = first[n];
        EXPECT_GE(time, std::get<0>(first[n == 0 ? 0 : n - 1]));
        return std::make_tuple(what, what == Mark::What::activity ? activity : Activity{},
                               what == Mark::What::probe ? kind : ProbeKind{}, value,
                               address - kCode);
    };
    using What = Mark::What;
    const auto probe = [](ProbeKind kind, std::uint32_t value, Address offset) {
        return std::make_tuple(What::probe, Activity{}, kind, value, offset);
    };
    const auto enters = [](Activity activity, Address offset) {
        return std::make_tuple(What::activity, activity, ProbeKind{}, 0u, offset);
    };
    EXPECT_EQ(row(0), probe(ProbeKind::lock_attempt, 77, 5));
    EXPECT_EQ(row(1), probe(ProbeKind::lock_acquired, eax_now, 6));
    EXPECT_EQ(row(2), probe(ProbeKind::thread_start, (ecx_now - 1) >> 8 & 0xff, 6));
    EXPECT_EQ(row(3), enters(Activity::critical, 6));
    EXPECT_EQ(row(4), probe(ProbeKind::lock_release, SmallMachine::kData, 10));
    EXPECT_EQ(row(5), enters(Activity::user, 13));
    EXPECT_EQ(row(6), probe(ProbeKind::message, ecx_now, 15));
    EXPECT_EQ(row(7), probe(ProbeKind::region_begin, ~ecx_now & 0xffff, 20));
    EXPECT_EQ(row(8), probe(ProbeKind::lock_attempt, 77, 5));
}

}  // namespace
}  // namespace symsim::test
