// SPDX-License-Identifier: MIT
// Tests stores that a processor makes speculatively to own lines. A rollback must leave memory and
// lines as if the stores had never been made, and no other processor may have seen them.
#include <gtest/gtest.h>

#include <vector>

#include "sim/base/transaction_kind.h"
#include "sim/engine/speculation/run_ahead.h"
#include "sim/protocol/protocols.h"
#include "tests/support/assembler.h"
#include "tests/support/part_configs.h"
#include "tests/support/print_protocol.h"
#include "tests/support/small_machine.h"

namespace symsim::test {
namespace {

using MachineCode = std::vector<std::uint8_t>;
constexpr Time kWarm = 200 * kMicrosecond;
constexpr Time kClock = 62'500;
constexpr Address kData = SmallMachine::kData;

MachineCode assembled(const std::string& lines) {
    return assemble_program(".intel_syntax noprefix\n.globl start\nstart:\n" + lines,
                            SmallMachine::kCode);
}

// Increments counters in memory, in two lines.
const MachineCode& counting() {
    static const MachineCode code = assembled(R"(
        mov esi, 0x200000
    again:
        inc dword ptr [esi]
        mov eax, [esi]
        add [esi+16], eax
        jmp again
    )");
    return code;
}

std::unique_ptr<SmallMachine> stepped(const MachineCode& code, const Protocol* protocol, Time to) {
    auto machine = std::make_unique<SmallMachine>(1, code, test_controller_config(), protocol);
    machine->step_until(to);
    return machine;
}

struct Ahead {
    Ahead(const MachineCode& code, const Protocol* protocol)
        : machine(1, code, test_controller_config(), protocol) {
        machine.step_until(kWarm);
        machine.cache(0).connect(ahead);
        start = machine.next(0);
        ahead.go(start);
    }
    SmallMachine machine;
    ReadyQueue next{1};
    Time start = 0;
    RunAhead ahead{machine.processor(0), machine.cache(0), machine.observer, next};
};

class StoresAhead : public ::testing::TestWithParam<const Protocol*> {
  protected:
    static void same(const SmallMachine& a, const SmallMachine& b) {
        ASSERT_EQ(a.state(), b.state());
        for (const Address address : {kData, kData + 16})
            ASSERT_EQ(a.memory.read(address, 4), b.memory.read(address, 4));
    }
};

TEST_P(StoresAhead, ManyAreMadeBeforeTheFirstIsCommitted) {
    Ahead a(counting(), GetParam());
    const auto before = stepped(counting(), GetParam(), a.start);
    EXPECT_GT(a.machine.memory.read(kData, 4), before->memory.read(kData, 4) + 20);
    EXPECT_GT(a.next.at(0), a.start + 90 * kMicrosecond);
}

TEST_P(StoresAhead, AreRolledBackExactlyToAnyTime) {
    for (Time clock = 1; clock < 120; ++clock)
        for (const Time off : {-1, 0, 1}) {
            Ahead a(counting(), GetParam());
            const Time to = a.start + clock * kClock + off;
            SCOPED_TRACE(to);
            a.ahead.synchronise(to);
            same(a.machine, *stepped(counting(), GetParam(), to));
        }
}

TEST_P(StoresAhead, AreRolledBackByASnoop) {
    for (const TransactionKind kind :
         {TransactionKind::read, TransactionKind::fetch, TransactionKind::locked_read})
        for (const Address offset : {0, 16}) {
            Ahead a(counting(), GetParam());
            const Time at = a.start + 10 * kMicrosecond;
            a.machine.cache(0).snoop(kind, kData + offset, false, at);
            auto expected = stepped(counting(), GetParam(), at);
            expected->cache(0).snoop(kind, kData + offset, false, at);
            same(a.machine, *expected);
        }
}

// No register changes, but the loop must not sleep, since it stores.
TEST_P(StoresAhead, KeepALoopFromSleeping) {
    for (const char* body :
         {"inc dword ptr [0x200000]", "mov dword ptr [0x200000], 7", "xchg eax, [0x200000]"}) {
        Ahead a(assembled("xor eax, eax\nagain:\n" + std::string(body) + "\njmp again\n"),
                GetParam());
        EXPECT_EQ(a.ahead.stop_reason(), StopReason::retry) << body;
        EXPECT_NE(a.next.at(0), kNever) << body;
    }
}

// The loop stores to the line that contains its own code.
TEST_P(StoresAhead, AreNotMadeToLinesWithCode) {
    const MachineCode code = assembled(R"(
        .balign 16
    again:
        inc dword ptr counter
        jmp again
    counter:
        .long 0
    )");
    Ahead a(code, GetParam());
    EXPECT_LT(a.next.at(0), a.start + 5 * kMicrosecond);
}

// Code in the line is decoded after the stores. The second execution must make the stores again.
TEST_P(StoresAhead, AreRepeatedEvenIfTheLineHasCodeMeanwhile) {
    Ahead a(counting(), GetParam());
    const Time at = a.start + 10 * kMicrosecond;
    a.machine.decode(kData + 4);
    a.ahead.synchronise(at);
    same(a.machine, *stepped(counting(), GetParam(), at));
}

std::vector<const Protocol*> with_own_lines() {
    std::vector<const Protocol*> found;
    for (const Protocol* protocol : kProtocols)
        if (protocol->has_own_lines()) found.push_back(protocol);
    return found;
}

INSTANTIATE_TEST_SUITE_P(Protocols, StoresAhead, ::testing::ValuesIn(with_own_lines()),
                         [](const auto& info) { return word(info.param); });

// Another processor stores the value that memory has already (`changes` is false). But memory has
// this value only by a speculative store, so the snoop must roll back.
TEST(StoresAhead, ASnoopedStoreOfTheSpeculativeValueStillRollsBack) {
    const MachineCode code = assembled(R"(
        mov esi, 0x200000
    again:
        mov dword ptr [esi], 1
        mov dword ptr [esi], 2
        mov ebx, [esi]
        jmp again
    )");
    Ahead a(code, &protocols::write_update);
    const Time at = a.start + 10 * kMicrosecond;
    const std::uint32_t ahead = a.machine.memory.read(kData, 4);
    a.machine.cache(0).snoop(TransactionKind::store, kData, false, at);
    const auto expected = stepped(code, &protocols::write_update, at);
    EXPECT_EQ(a.machine.state(), expected->state());
    EXPECT_TRUE(ahead == 1 || ahead == 2);
}

// --- two processors ------------------------------------------------------------------------------

void engines_agree(const MachineCode& code, const Protocol* protocol, unsigned processors) {
    for (const StorePolicy policy :
         {StorePolicy::buffered, StorePolicy::block_port, StorePolicy::stall}) {
        ControllerConfig config = test_controller_config();
        config.store_policy = policy;
        SmallMachine fast(processors, code, config, protocol);
        SmallMachine slow(processors, code, config, protocol);
        for (Time to = kMicrosecond; to < kMillisecond; to += 3 * kMicrosecond) {
            fast.run_fast_until(to);
            slow.step_until(to);
            ASSERT_EQ(fast.state(), slow.state()) << "at " << to;
            ASSERT_EQ(fast.memory.read(kData, 4), slow.memory.read(kData, 4)) << "at " << to;
        }
    }
}

// One processor is executing a repeated instruction from its prefetch queue. The other has taken
// ownership of the line before, and now overwrites the prefix without a transaction.
TEST(StoresAhead, StoresToCodeInAnOwnLineReachProcessorsThatExecuteIt) {
    for (const char* writer : {"0", "1"})
        for (const Protocol* const protocol : with_own_lines())
            engines_agree(assembled(R"(
        mov edi, 0x210000
        mov esi, 0x220000
        mov ecx, 400
        cmp dword ptr [0xc8000000], )" +
                                    std::string(writer) +
                                    R"(
        je writer
    copy:
        repe cmpsd
        hlt
    writer:
        mov ecx, 60
    wait:
        imul eax, ecx
        loop wait
        mov byte ptr copy, 0xf3
        mov ecx, 40
    wait_again:
        imul eax, ecx
        loop wait_again
        mov byte ptr copy, 0x90
        hlt
    )"),
                          protocol, 2);
}

// Some processors read a line, and two store to it again as soon as they have it. A reader must use
// its line before the next store is made.
TEST(StoresAhead, AReaderUsesItsLineBeforeTheNextStoreTakesIt) {
    for (const Protocol* const protocol : with_own_lines())
        engines_agree(assembled(R"(
        mov esi, 0x200000
        mov ebp, [0xc8000000]
    again:
        cmp ebp, 1
        ja reader
        mov eax, [esi]
        mov [esi+4], eax
        inc dword ptr [esi]
        inc dword ptr [esi]
        inc dword ptr [esi]
        jmp again
    reader:
        add ebx, [esi]
        jmp again
    )"),
                      protocol, 4);
}

}  // namespace
}  // namespace symsim::test
