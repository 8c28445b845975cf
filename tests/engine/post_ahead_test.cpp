// SPDX-License-Identifier: MIT
// Tests requests that a processor posts speculatively, and its speculative waits. The bus must get
// a request in time, and a rollback to an earlier time must withdraw it. Observers must be notified
// only of what is committed.
#include <gtest/gtest.h>

#include <memory>

#include "sim/base/activity.h"
#include "sim/base/probe_point.h"
#include "sim/engine/speculation/run_ahead.h"
#include "sim/protocol/protocols.h"
#include "tests/support/part_configs.h"
#include "tests/support/small_machine.h"

namespace symsim::test {
namespace {

using MachineCode = std::vector<std::uint8_t>;
constexpr std::uint8_t kByte2 = SmallMachine::kData >> 16;
constexpr Time kWarm = 200 * kMicrosecond;

// Counts for a while, stores, then loads: the load waits for the port until the store is complete.
//   again: mov ecx, 20; one: dec ecx; jnz one; mov [data + 64], eax; add ebx, [data]; jmp again
const MachineCode kStore = {0xb9,   20, 0,    0,    0, 0x49, 0x75,   0xfd, 0xa3, 64,  0,
                            kByte2, 0,  0x03, 0x1d, 0, 0,    kByte2, 0,    0xeb, 0xeb};
// Counts for a while and loads from a line that misses, each time the next line.
//   again: mov ecx, 20; one: dec ecx; jnz one; mov eax, [data + esi]; add esi, 16; jmp again
const MachineCode kMiss = {0xb9, 20, 0,      0, 0,    0x49, 0x75, 0xfd, 0x8b, 0x86,
                           0,    0,  kByte2, 0, 0x83, 0xc6, 16,   0xeb, 0xed};
// Counts for a while and executes an xchg with memory.
//   again: mov ecx, 20; one: dec ecx; jnz one; xchg [data], eax; jmp again
const MachineCode kExchange = {0xb9, 20,   0, 0, 0,      0x49, 0x75, 0xfd,
                               0x87, 0x05, 0, 0, kByte2, 0,    0xeb, 0xf0};
// Counts for a while and stores to a line that misses, each time the next line.
//   again: mov ecx, 20; one: dec ecx; jnz one; mov [data + esi], eax; add esi, 16; jmp again
const MachineCode kStoreMiss = {0xb9, 20, 0,      0, 0,    0x49, 0x75, 0xfd, 0x89, 0x86,
                                0,    0,  kByte2, 0, 0x83, 0xc6, 16,   0xeb, 0xed};

struct Case {
    MachineCode code;
    const Protocol* protocol = &protocols::write_through;
    Address probe = 0;  // address of a probe point; 0: none
};
const std::vector<Case> kCases = {
    {kStore}, {kMiss}, {kExchange}, {kStoreMiss, &protocols::write_through_allocate}};

// A machine that has just begun to count, and runs ahead from `start`.
struct Counting {
    explicit Counting(const Case& test, bool runs_ahead = true)
        : machine(1, test.code, test_controller_config(), test.protocol) {
        if (test.probe != 0) machine.probe(test.probe, ProbeKind::message);
        Time at = kWarm;
        do machine.step_until(at += 31'250);
        while (machine.stop_reason(0) != StopReason::retry || machine.next(0) < at ||
               machine.processor(0).context().regs[ecx] != 19);
        start = machine.next(0);
        if (!runs_ahead) return;
        machine.cache(0).connect(ahead);
        ahead.go(start);
    }
    Time posted() { return machine.cache(0).posted_ahead_at(); }

    SmallMachine machine;
    ReadyQueue next{1};
    Time start = 0;
    RunAhead ahead{machine.processor(0), machine.cache(0), machine.observer, next};
};

std::vector<std::pair<Time, ProcessorState>> states_of(const SmallMachine& machine,
                                                       ProcessorId processor) {
    std::vector<std::pair<Time, ProcessorState>> states;
    for (const auto& [p, at, state] : machine.observer.states)
        if (p == processor) states.emplace_back(at, state);
    return states;
}

TEST(PostAhead, PostsItsRequestAndWaitsSpeculatively) {
    for (const Case& test : kCases) {
        Counting a(test);
        EXPECT_GT(a.posted(), a.start + 20 * 62'500);
        EXPECT_GT(a.machine.bus().next_event(), a.posted());
        EXPECT_EQ(a.ahead.stop_reason(), StopReason::waiting);
        EXPECT_EQ(a.next.at(0), kNever);
        const auto& states = a.machine.observer.states;
        EXPECT_LT(std::get<Time>(states.back()), a.start) << "it may be rolled back";
    }
}

// Rolls back to times before the request, between request and wait, and within the wait.
TEST(PostAhead, ARollbackWithdrawsOnlyRequestsNotYetDue) {
    for (const Case& test : kCases) {
        const Time edge = Counting(test).machine.bus().next_event();
        for (Time to = Counting(test).start + 31'250; to <= edge; to += 31'250) {
            SCOPED_TRACE(to);
            Counting a(test);
            const Time posts = a.posted();
            a.ahead.synchronise(to);
            SmallMachine expected(1, test.code, test_controller_config(), test.protocol);
            expected.step_until(to);
            ASSERT_EQ(a.machine.state(), expected.state());
            ASSERT_EQ(a.machine.observer.states, expected.observer.states);
            ASSERT_EQ(a.next.at(0), expected.next(0));
            ASSERT_EQ(a.posted(), posts < to ? posts : -1);
        }
    }
}

// The bus grants a store before or when the processor begins to wait for the port. Then it is known
// when the port is free, and the processor executes at once what follows the wait.
TEST(PostAhead, ContinuesAfterAWaitForAStoreThatIsGranted) {
    MachineCode later = kStore;  // two nops after the store
    later.insert(later.begin() + 13, {0x90, 0x90});
    later.back() = 0xe9;
    MachineCode jumps = kStore;  // no load: the fetch of the jump's target waits
    jumps.erase(jumps.begin() + 13, jumps.begin() + 19);
    jumps.back() = 0xf1;
    const Case cases[] = {
        {kStore},
        {later},
        {later, &protocols::write_through, SmallMachine::kCode + 14},
        {jumps},
    };
    for (const Case& test : cases) {
        const auto granted = [&] {
            auto a = std::make_unique<Counting>(test);
            a->machine.bus().advance(a->machine.bus().next_event());
            return a;
        };
        const auto a = granted();
        const Time at = a->machine.bus().last_grant();
        const bool to_be_told = test.probe != 0;  // a mark is reported before the wait
        EXPECT_EQ(a->ahead.stop_reason(), to_be_told ? StopReason::retry : StopReason::waiting);
        const Time next = to_be_told ? a->next.at(0) : a->posted();
        EXPECT_GT(next, to_be_told ? at : at + 200 * 62'500);
        for (Time to = (at / 31'250 + 1) * 31'250; to <= next; to += 31'250) {
            SCOPED_TRACE(to);
            const auto b = granted();
            b->ahead.synchronise(to);
            Counting expected(test, false);
            expected.machine.step_until(to);
            ASSERT_EQ(b->machine.state(), expected.machine.state());
            ASSERT_EQ(b->machine.observer.states, expected.machine.observer.states);
            ASSERT_EQ(b->machine.observer.marks.size(), expected.machine.observer.marks.size());
            ASSERT_EQ(b->next.at(0), expected.machine.next(0));
            ASSERT_LT(b->posted(), to);
        }
    }
}

// With four processors the bus is always occupied: each store is granted long after its processor
// has begun to wait.
TEST(PostAhead, ContinuesAfterAWaitForAStoreThatIsGrantedLate) {
    //   again: mov [data + 64], eax; add ebx, [data]; jmp again
    const MachineCode code = {0xa3, 64, 0, kByte2, 0, 0x03, 0x1d, 0, 0, kByte2, 0, 0xeb, 0xf3};
    SmallMachine expected(4, code);
    for (Time to = kWarm; to < kWarm + 10 * kMicrosecond; to += 31'250) {
        SCOPED_TRACE(to);
        SmallMachine fast(4, code);
        fast.run_fast_until(to);
        expected.step_until(to);
        ASSERT_EQ(fast.state(), expected.state());
        for (ProcessorId p = 0; p < 4; ++p)
            ASSERT_EQ(states_of(fast, p), states_of(expected, p)) << "of processor " << p;
    }
}

// The program uses a data line before the store only, and its code line before and after the store.
TEST(PostAhead, ASnoopAfterAStoreIgnoresUsesBeforeTheStore) {
    const MachineCode code = {0x03, 0x1d, 0,   0,    kByte2, 0,  // again: add ebx, [data]
                              0xa3, 64,   0,   0x20, 0,          // mov [data + 64], eax
                              0x40, 0xeb, 0xf2};                 // inc eax; jmp again
    SmallMachine machine(1, code);
    Time at = kWarm;
    do machine.step_until(at += 31'250);
    while (machine.stop_reason(0) != StopReason::retry || machine.next(0) < at ||
           machine.processor(0).context().eip != SmallMachine::kCode);
    ReadyQueue next{1};
    RunAhead ahead{machine.processor(0), machine.cache(0), machine.observer, next};
    machine.cache(0).connect(ahead);
    ahead.go(machine.next(0));
    const Time posted = machine.cache(0).posted_ahead_at();
    ASSERT_GT(posted, machine.next(0));
    const Line* const line = machine.cache(0).cache().find(SmallMachine::kData);
    ASSERT_NE(line, nullptr);
    ASSERT_LT(line->used, posted);
    const std::string far_ahead = machine.state();
    ahead.about_to_change(SmallMachine::kData, line, posted + 1);
    EXPECT_EQ(machine.state(), far_ahead);
    ahead.about_to_change(SmallMachine::kCode, machine.cache(0).cache().find(SmallMachine::kCode),
                          posted + 2);
    EXPECT_NE(machine.state(), far_ahead) << "its code it uses all the time";
}

// The snoop is of the line of the counting loop: it rolls back to a time before the request.
TEST(PostAhead, ASnoopThatRollsBackWithdrawsTheRequest) {
    for (const Case& test : kCases) {
        Counting a(test);
        const Time at = a.start + 10 * 62'500;
        ASSERT_LT(at, a.posted());
        a.ahead.about_to_change(SmallMachine::kCode,
                                a.machine.cache(0).cache().find(SmallMachine::kCode), at);
        EXPECT_EQ(a.posted(), -1);
        EXPECT_EQ(a.ahead.stop_reason(), StopReason::retry);
        EXPECT_GE(a.next.at(0), at);
        while (a.machine.bus().next_event() != kNever) {
            const auto uses = a.machine.observer.uses.size();
            a.machine.bus().advance(a.machine.bus().next_event());
            ASSERT_EQ(a.machine.observer.uses.size(), uses) << "nothing is there to be granted";
        }
    }
}

// The store occupies the port. An access to an address with neither memory nor a device must fail
// all the same, without waiting.
TEST(PostAhead, AnUnmappedAccessAfterAStoreFailsAtOnce) {
    for (const MachineCode& code : {
             // mov [data + 64], eax; then ...
             MachineCode{0xa3, 64, 0, kByte2, 0, 0xa3, 0, 0, 0, 7},        // mov [0x700'0000], eax
             MachineCode{0xa3, 64, 0, kByte2, 0, 0xa1, 0, 0, 0, 7},        // mov eax, [0x700'0000]
             MachineCode{0xa3, 64, 0, kByte2, 0, 0x87, 0x05, 0, 0, 0, 7},  // xchg [0x700'0000], eax
             MachineCode{0xa3, 64, 0, kByte2, 0, 0xb8, 0, 0, 0, 7, 0xff,
                         0xe0},  // mov eax, ..; jmp eax
         }) {
        SmallMachine ahead(1, code), expected(1, code);
        const Time end = ahead.run_fast_until(kWarm);
        ASSERT_LT(end, kWarm);
        expected.step_until(end);
        EXPECT_EQ(ahead.state(), expected.state());
        EXPECT_EQ(ahead.processor(0).failure().time, expected.processor(0).failure().time);
    }
}

}  // namespace
}  // namespace symsim::test
