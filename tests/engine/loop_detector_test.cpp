// SPDX-License-Identifier: MIT
// Tests LoopDetector with LoopWatch: which loops they find, and which they must not find.

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "sim/base/probe_point.h"
#include "sim/engine/speculation/loop_skipper.h"
#include "tests/support/small_machine.h"

namespace symsim::test {
namespace {

using MachineCode = std::vector<std::uint8_t>;

// --- the detector alone, with contexts as they are after each backward branch
// -------------------------

Context turn(Time time, std::uint64_t instructions, std::uint32_t value = 0) {
    Context c;
    c.eip = 0x1000;
    c.time = time;
    c.instructions = instructions;
    c.regs[eax] = value;
    return c;
}

// The watch and the detector, as a processor and its engine use them.
struct Watched {
    bool repeats_state(const Context& now, std::size_t marks) {
        return watch.asks(now) && loop.repeats_state(now, marks);
    }
    LoopWatch watch;
    LoopDetector loop{watch};
};

// The iteration (from 1) at which it reports that the loop repeats; 0 if not within 64.
unsigned found_at(Watched& watched, unsigned period) {
    watched.loop.on();
    for (unsigned n = 1; n <= 64; ++n)
        if (watched.repeats_state(turn(100 * n, 5 * n, n % period), 0)) return n;
    return 0;
}

TEST(LoopDetector, FindsPeriodsOfAnyNumberOfIterations) {
    Watched watched;
    for (const unsigned period : {1u, 2u, 3u, 7u, 12u}) {
        EXPECT_GT(found_at(watched, period), 0u) << period;
        EXPECT_EQ(watched.loop.period(), 100 * period);
        EXPECT_EQ(watched.loop.instructions(), 5 * period);
    }
    EXPECT_EQ(found_at(watched, 1), 2u);
    EXPECT_EQ(found_at(watched, 1000), 0u);
}

TEST(LoopDetector, TheStartIsTheIterationJustReached) {
    Watched watched;
    watched.loop.on();
    watched.repeats_state(turn(100, 1), 0);
    ASSERT_TRUE(watched.repeats_state(turn(180, 9), 0));
    EXPECT_EQ(watched.loop.start().time, 180);
    EXPECT_EQ(watched.loop.start().instructions, 9u);
    EXPECT_EQ(watched.loop.period(), 80);
}

TEST(LoopDetector, AnyChangeOfStatePreventsAMatch) {
    const std::vector<std::function<void(Context&)>> changes = {
        [](Context& c) { c.eip += 2; }, [](Context& c) { c.regs[edi] = 1; },
        [](Context& c) { c.flags.set(Flags::kCarry); }, [](Context& c) { c.fetch_line = 0x1000; }};
    for (std::size_t n = 0; n < changes.size(); ++n) {
        Watched watched;
        watched.loop.on();
        watched.repeats_state(turn(100, 1), 0);
        Context changed = turn(200, 2);
        changes[n](changed);
        EXPECT_FALSE(watched.repeats_state(changed, 0)) << n;
    }
}

TEST(LoopDetector, AMarkInTheIterationPreventsAMatch) {
    Watched watched;
    watched.loop.on();
    watched.repeats_state(turn(100, 1), 4);
    EXPECT_FALSE(watched.repeats_state(turn(200, 2), 5));
}

TEST(LoopDetector, StartsOverAfterAStore) {
    Watched watched;
    watched.loop.on();
    Context stored = turn(100, 1);
    ++stored.changes;
    EXPECT_FALSE(watched.repeats_state(stored, 0));
    const auto later = [&](Time time) {
        Context c = stored;
        c.time = time;
        return c;
    };
    EXPECT_FALSE(watched.repeats_state(later(200), 0)) << "that with the store was not saved";
    EXPECT_TRUE(watched.repeats_state(later(300), 0));
    EXPECT_EQ(watched.loop.period(), 100);
}

TEST(LoopDetector, SwitchedOnAgainItHasNoEarlierIterations) {
    Watched watched;
    watched.loop.on();
    watched.repeats_state(turn(100, 1), 0);
    watched.loop.on();
    EXPECT_FALSE(watched.repeats_state(turn(200, 2), 0));
}

TEST(LoopDetector, AsksOnlyAfterJumpsThatCanMatchOrAreSaved) {
    Watched watched;
    EXPECT_FALSE(watched.watch.asks(turn(100, 1))) << "it is off";
    watched.loop.on();
    unsigned asked = 0;
    for (unsigned n = 1; n <= 64; ++n) {
        if (!watched.watch.asks(turn(100 * n, n, n))) continue;
        ++asked;
        watched.loop.repeats_state(turn(100 * n, n, n), 0);
    }
    EXPECT_EQ(asked, 7u) << "the 1st, 2nd, 4th ... 64th";
    watched.loop.off();
    EXPECT_FALSE(watched.watch.asks(turn(6500, 65, 64))) << "the state saved last";
}

TEST(LoopDetector, DoesNotAskInALoopThatStores) {
    Watched watched;
    watched.loop.on();
    for (unsigned n = 1; n <= 64; ++n) {
        Context stored = turn(100 * n, n);
        stored.changes = n;
        EXPECT_FALSE(watched.watch.asks(stored)) << n;
    }
}

// --- a processor with the detector
// --------------------------------------------------------------

constexpr std::uint8_t kByte0 = SmallMachine::kData & 0xff, kByte2 = SmallMachine::kData >> 16;
const MachineCode kSpin = {0x80, 0x3d, kByte0, 0,   kByte2,
                           0,    0,    0x74,   0xf7};  // cmp byte [data], 0; je

// Runs with a warm cache, then speculatively for 100 us, the fast engine's run-ahead limit.
struct Ahead {
    explicit Ahead(SmallMachine& machine) : loops(machine.processor(0)) {
        const Time start = 50 * kMicrosecond;
        machine.step_until(start);
        loops.begin_run();
        loops.detect(true);
        stop_reason = machine.processor(0).run(start - 1, start + 100 * kMicrosecond, &loops);
    }
    LoopSkipper loops;
    StopReason stop_reason;
};

TEST(LoopDetector, FindsASpinWithItsPeriod) {
    SmallMachine machine(1, kSpin);
    const Ahead ahead(machine);
    ASSERT_EQ(ahead.stop_reason, StopReason::looping);
    const LoopDetector& loop = ahead.loops.found();
    EXPECT_EQ(loop.instructions(), 2u);
    // Whole periods later a stepped machine is at the same instruction.
    SmallMachine stepped(1, kSpin);
    stepped.step_until(loop.start().time + 1000 * loop.period());
    EXPECT_EQ(stepped.processor(0).context().eip, loop.start().eip);
    EXPECT_EQ(stepped.processor(0).context().time, loop.start().time + 1000 * loop.period());
    EXPECT_EQ(stepped.processor(0).context().instructions, loop.start().instructions + 2000);
}

TEST(LoopDetector, FindsASpinWithADelayInIt) {
    // again: mov ecx, 5; dec ecx; jnz; cmp byte [data], 0; je again
    SmallMachine machine(
        1, {0xb9, 5, 0, 0, 0, 0x49, 0x75, 0xfd, 0x80, 0x3d, kByte0, 0, kByte2, 0, 0, 0x74, 0xef});
    const Ahead ahead(machine);
    ASSERT_EQ(ahead.stop_reason, StopReason::looping);
    EXPECT_EQ(ahead.loops.found().instructions(), 1u + 2 * 5 + 2);
}

struct NoLoop {
    const char* stop_reason;
    MachineCode code;
};

TEST(LoopDetector, DoesNotStopOtherLoops) {
    const std::vector<NoLoop> rows = {
        {"inc eax; jmp", {0x40, 0xeb, 0xfd}},
        {"reads the clock", {0xa1, 0, 0x20, 0, 0xcc, 0x31, 0xc0, 0xeb, 0xf7}},
        {"stores", {0xc6, 0x05, kByte0, 0, kByte2, 0, 1, 0xeb, 0xf7}},
        {"xchg al, [data]", {0x86, 0x05, kByte0, 0, kByte2, 0, 0xeb, 0xf8}},
        {"reads a device", {0xa1, 0, 0, 0, 0xd1, 0x31, 0xc0, 0xeb, 0xf7}},
    };
    for (const NoLoop& row : rows) {
        SmallMachine machine(1, row.code);
        const StopReason stop_reason = Ahead(machine).stop_reason;
        EXPECT_TRUE(stop_reason == StopReason::retry || stop_reason == StopReason::waiting)
            << row.stop_reason;
    }
    SmallMachine halted(1, {0xf4});
    halted.step_until(50 * kMicrosecond);
    EXPECT_EQ(halted.stop_reason(0), StopReason::halted);
}

TEST(LoopDetector, AProbePointInTheLoopKeepsItRunning) {
    SmallMachine machine(1, kSpin);
    machine.probe(SmallMachine::kCode, ProbeKind::message);
    EXPECT_EQ(Ahead(machine).stop_reason, StopReason::retry);
}

}  // namespace
}  // namespace symsim::test
