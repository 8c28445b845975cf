// SPDX-License-Identifier: MIT
// Tests RunAhead. A processor that has run ahead and is rolled back must have exactly the state of
// a processor that was stepped without running ahead. The state is registers, values read, clocks,
// instruction counts, lines with their last use, and what observers were notified of.
#include "sim/engine/speculation/run_ahead.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "sim/base/probe_point.h"
#include "sim/base/transaction_kind.h"
#include "sim/engine/speculation/loop_skipper.h"
#include "sim/protocol/protocols.h"
#include "tests/engine/random_guest.h"
#include "tests/support/assembler.h"
#include "tests/support/part_configs.h"
#include "tests/support/small_machine.h"

namespace symsim::test {
namespace {

using MachineCode = std::vector<std::uint8_t>;
constexpr std::uint8_t kByte2 = SmallMachine::kData >> 16;
constexpr Time kWarm = 200 * kMicrosecond;

// Repeatedly sums 16 dwords in 4 lines, with a long instruction (imul) between the loads:
//   again: mov esi, data; mov ecx, 16; next: add eax, [esi]; adc edx, 0; imul ebx, eax;
//          add esi, 4; dec ecx; jnz next; jmp again
const MachineCode kSum = {0xbe, 0, 0,    kByte2, 0,    0xb9, 16,   0, 0,    0,    0x03, 0x06, 0x83,
                          0xd2, 0, 0x0f, 0xaf,   0xd8, 0x83, 0xc6, 4, 0x49, 0x75, 0xf2, 0xeb, 0xe6};
const MachineCode kSpin = {0x80, 0x3d, 0, 0, kByte2, 0, 0, 0x74, 0xf7};  // cmp byte [data], 0; je
const MachineCode kHalt = {0xf4};
// Two counted loops, to zero and below zero, then a load of a line that others may write:
//   again: mov ecx, 37; one: dec ecx; jnz one; mov ecx, 5; two: nop; dec ecx; nop; jns two;
//          add eax, [data]; jmp again
const MachineCode kDelays = {0xb9, 37,   0, 0, 0,      0x49, 0x75, 0xfd, 0xb9,
                             5,    0,    0, 0, 0x90,   0x49, 0x90, 0x79, 0xfb,
                             0x03, 0x05, 0, 0, kByte2, 0,    0xeb, 0xe6};
// A counted loop with the probe point on its dec:
//   again: mov ecx, 30; nop * 5; one: dec ecx; jnz one; add eax, [data]; jmp again
const MachineCode kProbedDelay = {0xb9, 30,   0,    0,    0, 0x90, 0x90,   0x90, 0x90, 0x90, 0x49,
                                  0x75, 0xfd, 0x03, 0x05, 0, 0,    kByte2, 0,    0xeb, 0xeb};

void fill(SmallMachine& machine) {
    for (Address n = 0; n < 64; ++n) machine.memory.write(SmallMachine::kData + 4 * n, 4, ~n * n);
}

// One processor with a warm cache, which has run ahead from `start`.
struct Ahead {
    explicit Ahead(const MachineCode& code) : machine(1, code) {
        if (code != kSpin) fill(machine);
        machine.probe(SmallMachine::kCode + 10, ProbeKind::message);
        machine.step_until(kWarm);
        machine.cache(0).connect(ahead);
        start = machine.next(0);
        ahead.go(start);
    }
    std::uint64_t instructions() { return machine.processor(0).context().instructions; }

    SmallMachine machine;
    ReadyQueue next{1};
    Time start = 0;
    RunAhead ahead{machine.processor(0), machine.cache(0), machine.observer, next};
};

// The same machine, stepped to `to` without running ahead.
std::unique_ptr<SmallMachine> stepped(const MachineCode& code, Time to) {
    auto machine = std::make_unique<SmallMachine>(1, code);
    if (code != kSpin) fill(*machine);
    machine->probe(SmallMachine::kCode + 10, ProbeKind::message);
    machine->step_until(to);
    return machine;
}

using Told = std::vector<std::tuple<Time, Mark::What, Address>>;
Told told(const SmallMachine& machine) {
    Told all;
    for (const auto& [p, mark] : machine.observer.marks)
        all.emplace_back(mark.time, mark.what, mark.address);
    return all;
}

void expect_same(Ahead& a, SmallMachine& expected) {
    ASSERT_EQ(a.machine.state(), expected.state());
    ASSERT_EQ(told(a.machine), told(expected));
    ASSERT_EQ(a.next.at(0), expected.next(0));
    const auto ends = [](SmallMachine& machine) {
        std::vector<std::pair<Address, Address>> all;
        for (const Branch& b : machine.processor(0).last_branches()) all.emplace_back(b.from, b.to);
        return all;
    };
    ASSERT_EQ(ends(a.machine), ends(expected));
}

TEST(RunAhead, RunsFarAheadAndReportsNothingSpeculative) {
    Ahead a(kSum);
    const auto before = stepped(kSum, a.start);
    EXPECT_GT(a.instructions(), before->processor(0).context().instructions + 100);
    EXPECT_GT(a.next.at(0), a.start + 90 * kMicrosecond);
    EXPECT_LE(told(a.machine).size(), told(*before).size() + 1);
}

// Rolls back to every clock edge, and to a picosecond before and after it.
TEST(RunAhead, RollsBackExactlyToAnyTime) {
    for (const MachineCode& code : {kSum, kDelays, kProbedDelay})
        for (Time clock = 1; clock < 150; ++clock)
            for (const Time off : {-1, 0, 1}) {
                Ahead a(code);
                const Time to = a.start + clock * 62'500 + off;
                SCOPED_TRACE(to);
                a.ahead.synchronise(to);
                expect_same(a, *stepped(code, to));
                if (HasFatalFailure()) return;
            }
}

// Far ahead, the processor has skipped iterations of counted loops.
TEST(RunAhead, RollsBackExactlyAfterSkippingIterationsOfCountedLoops) {
    for (const MachineCode& code : {kSum, kDelays, kProbedDelay})
        for (Time clock = 150; clock < 1600; clock += 7) {
            Ahead a(code);
            const Time to = a.start + clock * 62'500;
            SCOPED_TRACE(to);
            a.ahead.synchronise(to);
            expect_same(a, *stepped(code, to));
            if (HasFatalFailure()) return;
        }
}

// Several snoops of the same line follow each other.
TEST(RunAhead, SnoopsInARowFindTheStateOfTheSteppedMachine) {
    for (const MachineCode& code : {kSum, kDelays})
        for (const Time apart : {3, 20, 70, 170, 400}) {
            Ahead a(code);
            for (Time clock = apart; clock < 1500; clock += apart) {
                const Time at = a.start + clock * 62'500;
                while (a.next.at(0) < at) a.ahead.go(a.next.at(0));
                a.ahead.about_to_change(SmallMachine::kData,
                                        a.machine.cache(0).cache().find(SmallMachine::kData), at);
            }
            const Time to = a.start + 1500 * 62'500;
            while (a.next.at(0) < to) a.ahead.go(a.next.at(0));
            a.ahead.synchronise(to);
            SCOPED_TRACE(apart);
            expect_same(a, *stepped(code, to));
            if (HasFatalFailure()) return;
        }
}

TEST(RunAhead, ASnoopOfAUsedLineRollsBackToTheTimeOfTheSnoop) {
    for (Address offset = 0; offset < 64; offset += 16) {
        Ahead a(kSum);
        const Time at = a.start + 10 * kMicrosecond;
        a.machine.cache(0).snoop(TransactionKind::store, SmallMachine::kData + offset, true, at);
        auto expected = stepped(kSum, at);
        expected->cache(0).snoop(TransactionKind::store, SmallMachine::kData + offset, true, at);
        EXPECT_EQ(a.machine.state(), expected->state());
        EXPECT_EQ(a.next.at(0), expected->next(0));
        EXPECT_EQ(a.machine.cache(0).cache().find(SmallMachine::kData + offset), nullptr);
    }
}

TEST(RunAhead, ASnoopOfAnUnusedLineDoesNotRollBack) {
    Ahead a(kSum);
    const std::string before = a.machine.state();
    a.machine.cache(0).snoop(TransactionKind::store, SmallMachine::kData + 64, true,
                             a.start + kMicrosecond);
    a.machine.cache(0).snoop(TransactionKind::locked_read, SmallMachine::kData, true,
                             a.start + kMicrosecond);
    EXPECT_EQ(a.machine.state(), before);
}

TEST(RunAhead, ASnoopOfItsCodeRollsBack) {
    Ahead a(kSum);
    const Time at = a.start + 10 * kMicrosecond;
    a.machine.cache(0).snoop(TransactionKind::store, SmallMachine::kCode + 24, true, at);
    auto expected = stepped(kSum, at);
    expected->cache(0).snoop(TransactionKind::store, SmallMachine::kCode + 24, true, at);
    EXPECT_EQ(a.machine.state(), expected->state());
}

// A snoop of another line comes at the same time, after the first snoop has rolled back already.
TEST(RunAhead, ASecondSnoopAtTheSameTimeDoesNotRollBackAgain) {
    Ahead a(kSum);
    const Time first = a.start + 5 * kMicrosecond;
    a.machine.cache(0).snoop(TransactionKind::store, SmallMachine::kData, true, first);
    const std::string then = a.machine.state();
    a.machine.cache(0).snoop(TransactionKind::store, SmallMachine::kData + 32, true, first);
    auto expected = stepped(kSum, first);
    for (const Address offset : {0, 32})
        expected->cache(0).snoop(TransactionKind::store, SmallMachine::kData + offset, true, first);
    EXPECT_EQ(a.machine.state(), expected->state());
    EXPECT_NE(a.machine.state(), then) << "the line is gone";
}

// --- sleeping in a loop --------------------------------------------------------------------------

TEST(RunAhead, ALoopSleepsUntilItIsWoken) {
    Ahead a(kSpin);
    EXPECT_EQ(a.ahead.stop_reason(), StopReason::looping);
    EXPECT_EQ(a.next.at(0), kNever);
}

TEST(RunAhead, ASleepingLoopWakesInTheStateOfTheSteppedMachine) {
    for (const Time sleep : {Time{1}, Time{62'500}, Time{500'000}, kMicrosecond + 1,
                             7 * kMicrosecond, 123'456'789 + Time{0}, 10 * kMillisecond})
        for (Time off = 0; off < 20; ++off) {
            Ahead a(kSpin);
            const Time at = a.start + sleep + off * 62'500 + off % 3;
            SCOPED_TRACE(at);
            a.machine.cache(0).snoop(TransactionKind::store, SmallMachine::kData, true, at);
            auto expected = stepped(kSpin, at);
            expected->cache(0).snoop(TransactionKind::store, SmallMachine::kData, true, at);
            ASSERT_EQ(a.machine.state(), expected->state());
            ASSERT_EQ(a.next.at(0), expected->next(0));
            ASSERT_EQ(told(a.machine), told(*expected));
            if (sleep > kMillisecond && off > 2) break;
        }
}

// An iteration takes up to half of the run-ahead limit, and uses the line once.
//   again: mov ecx, n; one: dec ecx; jnz one; cmp byte [data], 0; je again
TEST(RunAhead, ALongLoopWakesInTheStateOfTheSteppedMachine) {
    for (std::uint8_t count = 2; count < 80; count += 3) {
        const MachineCode code = {0xb9, count, 0, 0,      0, 0x49, 0x75, 0xfd, 0x80,
                                  0x3d, 0,     0, kByte2, 0, 0,    0x74, 0xef};
        for (const Time sleep : {90, 310, 1100, 5000}) {
            SCOPED_TRACE(fmt::format("{} turns, {} clocks", count, sleep));
            Ahead a(code);
            const Time at = a.start + sleep * 62'500;
            while (a.next.at(0) < at) a.ahead.go(a.next.at(0));
            a.machine.cache(0).snoop(TransactionKind::store, SmallMachine::kData, true, at);
            if (a.next.at(0) != kNever) a.ahead.synchronise(at);
            auto expected = stepped(code, at);
            expected->cache(0).snoop(TransactionKind::store, SmallMachine::kData, true, at);
            ASSERT_EQ(a.machine.state(), expected->state());
            ASSERT_EQ(a.next.at(0), expected->next(0));
        }
    }
}

// The line is read speculatively, just before the loop, and not in the loop.
TEST(RunAhead, ALineUsedOnlyBeforeASleepingLoopKeepsItsLastUse) {
    const std::string text = fmt::format(
        "mov al, [{0:#x}]; mov al, [{1:#x}]; mov ecx, 420; one: dec ecx; jnz one; "
        "mov al, [{0:#x}]; two: cmp byte ptr [{1:#x}], 0; je two",
        SmallMachine::kData + 64, SmallMachine::kData);
    const MachineCode code = assemble({text.c_str()})[0];
    for (const Time clocks : {2000, 2003, 2100}) {
        SCOPED_TRACE(clocks);
        Ahead a(code);
        while (a.next.at(0) != kNever) a.ahead.go(a.next.at(0));
        ASSERT_EQ(a.ahead.stop_reason(), StopReason::looping);
        const Time loop = a.ahead.loops().found().start().time;
        ASSERT_GT(loop, a.start) << "it was not asleep from the beginning";
        const Time at = a.start + clocks * 62'500;
        a.ahead.synchronise(at);
        expect_same(a, *stepped(code, at));
    }
}

// An hour of simulated time: too long to execute iteration by iteration in a test.
TEST(RunAhead, ASleepingLoopAdvancesByWholePeriods) {
    Ahead a(kSpin);
    const LoopDetector loop = a.ahead.loops().found();
    const Time turns = 3'600'000 * kMillisecond / loop.period();
    const Time at = loop.start().time + turns * loop.period();
    a.ahead.synchronise(at);
    EXPECT_EQ(a.machine.processor(0).context().time, at);
    EXPECT_EQ(a.instructions(), loop.start().instructions + 2u * static_cast<std::uint64_t>(turns));
    EXPECT_EQ(a.next.at(0), at);
}

// --- endless loops
// ------------------------------------------------------------------------------------

TEST(EndlessLoop, RecognisesLoopsThatOnlyAnotherProcessorEnds) {
    const std::vector<std::tuple<const char*, MachineCode, bool>> rows = {
        {"spin", kSpin, true},
        {"halt", kHalt, true},
        {"sum", kSum, false},
        {"count", {0x40, 0xeb, 0xfd}, false},
        {"store", {0xc6, 0x05, 0, 0, kByte2, 0, 1, 0xeb, 0xf7}, false},
        {"clock", {0xa1, 0, 0x20, 0, 0xcc, 0x31, 0xc0, 0xeb, 0xf7}, false},
    };
    for (const auto& [what, code, expected] : rows) {
        auto machine = stepped(code, kWarm);
        RollbackPoints points(machine->processor(0), machine->cache(0), machine->observer);
        LoopSkipper loops(machine->processor(0));
        const std::string before = machine->state();
        const auto marks = told(*machine);
        EXPECT_EQ(
            loops_for_ever(machine->processor(0), points, loops, kWarm, machine->stop_reason(0)),
            expected)
            << what;
        EXPECT_EQ(machine->state(), before) << what << ": looking must leave no trace";
        EXPECT_EQ(told(*machine), marks) << what;
        EXPECT_TRUE(machine->processor(0).marks().empty()) << what;
    }
}

TEST(EndlessLoop, AProcessorThatWaitsForTheBusDoesNotLoop) {
    SmallMachine machine(1, kSpin);
    machine.step_until(1);
    ASSERT_EQ(machine.stop_reason(0), StopReason::waiting);
    RollbackPoints points(machine.processor(0), machine.cache(0), machine.observer);
    LoopSkipper loops(machine.processor(0));
    EXPECT_FALSE(loops_for_ever(machine.processor(0), points, loops, 1, machine.stop_reason(0)));
}

// --- the whole fast engine
// -------------------------------------------------------------------------

// Random guests on small machines, run by the fast engine and stepped. Both are stopped at the same
// random times: not only the end must be the same (engines_agree_test.cpp), but every state on the
// way.
TEST(FastEngine, HasTheStateOfTheSteppedMachineAtAnyTime) {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        std::mt19937 random(seed);
        const auto pick = [&](unsigned n) {
            return std::uniform_int_distribution<unsigned>(0, n - 1)(random);
        };
        const unsigned processors = 1 + pick(5);
        ControllerConfig config = test_controller_config();
        config.geometry.size_bytes = pick(2) ? 65536 : 256u << pick(3);
        config.store_policy = static_cast<StorePolicy>(pick(3));
        config.write_buffer_depth = pick(3);
        const auto protocol = kProtocols[pick(5)];
        const RandomGuest guest(seed, processors);
        SmallMachine fast(processors, guest.code(), config, protocol);
        SmallMachine slow(processors, guest.code(), config, protocol);
        Time to = 0;
        for (int stop = 0; stop < 150; ++stop) {
            to += 1 + pick(pick(8) == 0 ? 400'000'000 : 4'000'000);
            fast.run_fast_until(to);
            slow.step_until(to);
            ASSERT_EQ(fast.state(), slow.state()) << "seed " << seed << " at " << to;
        }
        EXPECT_EQ(fast.observer.uses.size(), slow.observer.uses.size());
        for (Address a = SmallMachine::kData; a < SmallMachine::kData + 0x10000; a += 4)
            ASSERT_EQ(fast.memory.read(a, 4), slow.memory.read(a, 4));
    }
}

// Processor 1 overwrites the repeat prefix while processor 0 is between two elements. Processor 0
// may be waiting for an element or have run ahead: in either case it continues with the new
// instruction.
TEST(FastEngine, ARepeatedInstructionEndsWhenItsPrefixIsOverwritten) {
    const MachineCode code = assemble_program(R"(
        .intel_syntax noprefix
        .globl start
    start:
        mov edi, 0x210000
        mov esi, 0x220000
        mov ecx, 400
        cmp dword ptr [0xc8000000], 0
        jne writer
    copy:
        repe cmpsd
        hlt
    writer:
        mov ecx, 60
    wait:
        imul eax, ecx
        loop wait
        mov byte ptr copy, 0x90
        hlt
    )",
                                              SmallMachine::kCode);
    for (const StorePolicy policy :
         {StorePolicy::buffered, StorePolicy::block_port, StorePolicy::stall}) {
        ControllerConfig config = test_controller_config();
        config.store_policy = policy;
        SmallMachine fast(2, code, config);
        SmallMachine slow(2, code, config);
        for (Time to = kMicrosecond; to < kMillisecond; to += 7 * kMicrosecond) {
            fast.run_fast_until(to);
            slow.step_until(to);
            ASSERT_EQ(fast.state(), slow.state()) << "at " << to;
        }
        const std::uint32_t left = slow.processor(0).context().regs[ecx];
        EXPECT_GT(left, 0u);
        EXPECT_LT(left, 400u);
        EXPECT_EQ(slow.stop_reason(0), StopReason::halted);
    }
}

}  // namespace
}  // namespace symsim::test
