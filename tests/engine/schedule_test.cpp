// SPDX-License-Identifier: MIT
// Schedules: a processor is held exactly before an access or after an instruction, its stores stay
// in the write buffer, and both engines follow a schedule alike.
#include "sim/cpu/state/schedule.h"

#include <gtest/gtest.h>

#include "sim/protocol/protocols.h"
#include "tests/support/assembler.h"
#include "tests/support/small_machine.h"

namespace symsim::test {
namespace {

using At = ScheduleEntry::At;
using What = ScheduleEntry::What;

constexpr Time kHold = 100 * kMicrosecond;
constexpr Time kEnd = 1 * kMillisecond;
constexpr Address kWords = SmallMachine::kData;

ScheduleEntry entry(At at, std::uint64_t number, What what) {
    return {at, what, number, kHold};
}

// Processor 0 makes four accesses: it stores 1, adds 2 to the word, and stores 4 in the next one.
// Processor 1 only loads them.
constexpr const char* kStores = R"(
    .intel_syntax noprefix
        mov ebx, [0xc8000000]
        test ebx, ebx
        jnz reads
        nop
        mov dword ptr [0x200000], 1
        add dword ptr [0x200000], 2
        mov dword ptr [0x200004], 4
    done:
        jmp done
    reads:
        mov eax, [0x200000]
        mov edx, [0x200004]
        jmp reads
)";

class Scheduled : public ::testing::Test {
  protected:
    std::unique_ptr<SmallMachine> machine(const char* program,
                                          const std::vector<ScheduleEntry>& entries,
                                          const ControllerConfig& config = test_controller_config(),
                                          const Protocol* protocol = &protocols::write_through) {
        auto made = std::make_unique<SmallMachine>(
            2, assemble_program(program, SmallMachine::kCode), config, protocol);
        made->processor(0).set_schedule(Schedule(entries));
        return made;
    }
    static std::pair<std::uint32_t, std::uint32_t> words_at(SmallMachine& machine, Time at) {
        machine.step_until(at);
        return {machine.memory.read(kWords, 4), machine.memory.read(kWords + 4, 4)};
    }
};

// The first access is the load of the processor's number.
TEST_F(Scheduled, AHoldComesBeforeEachAccess) {
    const std::pair<std::uint32_t, std::uint32_t> before[] = {
        {0, 0}, {0, 0}, {1, 0}, {1, 0}, {3, 0}};
    for (std::uint64_t n = 1; n <= 5; ++n) {
        auto stepped = machine(kStores, {entry(At::access, n, What::hold)});
        EXPECT_EQ(words_at(*stepped, kHold / 2), before[n - 1]) << "access " << n;
        EXPECT_EQ(words_at(*stepped, 2 * kHold), std::pair(3u, 4u)) << "access " << n;
    }
}

TEST_F(Scheduled, AHoldComesAfterEachInstruction) {
    const std::pair<std::uint32_t, std::uint32_t> before[] = {{0, 0}, {0, 0}, {0, 0}, {0, 0},
                                                              {1, 0}, {3, 0}, {3, 4}};
    for (std::uint64_t n = 1; n <= 7; ++n) {
        auto stepped = machine(kStores, {entry(At::instruction, n, What::hold)});
        EXPECT_EQ(words_at(*stepped, kHold / 2), before[n - 1]) << "instruction " << n;
    }
}

TEST_F(Scheduled, TheOutcomeSaysWhenAndWhere) {
    auto made =
        machine(kStores, {entry(At::access, 2, What::hold), entry(At::access, 99, What::hold)});
    made->run_fast_until(kEnd);
    const auto& outcomes = made->processor(0).schedule().outcomes();
    ASSERT_EQ(outcomes.size(), 2u);
    EXPECT_TRUE(outcomes[0].reached);
    EXPECT_EQ(outcomes[0].end - outcomes[0].start, kHold);
    EXPECT_FALSE(outcomes[1].reached);
    EXPECT_TRUE(made->processor(0).schedule().has_more());
}

// Of Dekker's kind: each stores its own word and loads the other's. The first store and load are in
// one line of code: a fetch would wait behind the held store.
constexpr const char* kDekker = R"(
    .intel_syntax noprefix
        mov ebx, [0xc8000000]
        mov eax, [0x200000]
        mov eax, [0x200100]
        test ebx, ebx
        jnz second
        .balign 16
        mov dword ptr [0x200000], 1
        mov eax, [0x200100]
        mov [0x200200], eax
    done:
        jmp done
    second:
        mov ecx, 40
    later:
        loop later
        mov dword ptr [0x200100], 1
        mov eax, [0x200000]
        mov [0x200204], eax
        jmp done
)";

TEST_F(Scheduled, AHeldStoreStaysInTheWriteBuffer) {
    ControllerConfig config = test_controller_config();
    config.store_policy = StorePolicy::buffered;
    config.write_buffer_depth = 4;
    auto plain = machine(kDekker, {}, config);
    plain->step_until(kEnd);
    EXPECT_EQ(plain->memory.read(kWords + 0x204, 4), 1u) << "the first store is seen";
    auto held = machine(kDekker, {entry(At::access, 4, What::hold_stores)}, config);
    held->step_until(kHold / 2);
    EXPECT_EQ(held->memory.read(kWords, 4), 0u);
    held->step_until(kEnd);
    EXPECT_EQ(held->memory.read(kWords, 4), 1u);
    EXPECT_EQ(held->memory.read(kWords + 0x200, 4), 0u);
    EXPECT_EQ(held->memory.read(kWords + 0x204, 4), 0u) << "the store is not seen by the other";
}

TEST_F(Scheduled, BothEnginesReachTheSameState) {
    ControllerConfig buffered = test_controller_config();
    buffered.store_policy = StorePolicy::buffered;
    buffered.write_buffer_depth = 4;
    for (const ControllerConfig& config : {test_controller_config(), buffered})
        for (const Protocol* const protocol :
             {&protocols::write_through, &protocols::write_back, &protocols::write_update})
            for (const What what : {What::hold, What::hold_stores})
                for (const At at : {At::access, At::instruction})
                    for (std::uint64_t n = 1; n <= 8; ++n) {
                        const std::vector<ScheduleEntry> entries = {entry(at, n, what)};
                        auto fast = machine(kDekker, entries, config, protocol);
                        auto slow = machine(kDekker, entries, config, protocol);
                        for (Time to = kHold / 8; to <= 2 * kHold; to += kHold / 8) {
                            fast->run_fast_until(to);
                            slow->step_until(to);
                            ASSERT_EQ(fast->state(), slow->state()) << n << " at " << to;
                        }
                    }
}

TEST_F(Scheduled, NoDeadlockIsFoundWhileAnEntryIsToCome) {
    Schedule schedule({entry(At::access, 1000, What::hold)}, 7);
    EXPECT_FALSE(schedule.has_more()) << "the region may never begin";
    schedule.begin_region(10);
    EXPECT_TRUE(schedule.has_more());
    EXPECT_EQ(schedule.instructions(12), 2u);
}

}  // namespace
}  // namespace symsim::test
