// SPDX-License-Identifier: MIT
// Preemption at a given instruction: the timer's interrupt comes exactly after that instruction,
// whatever the fast engine executes speculatively, and at the same time as in a machine that is
// stepped.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/cpu/state/schedule.h"
#include "sim/protocol/protocols.h"
#include "tests/support/assembler.h"
#include "tests/support/small_machine.h"

namespace symsim::test {
namespace {

constexpr Address kInterrupted = SmallMachine::kData;  // eip, from the handler
constexpr Address kTimes = SmallMachine::kData + 4;    // how often the handler was entered
constexpr unsigned kRegion = 7;

// Vector 0x47 leads to a handler that notes the interrupted eip. Only processor 0 has interrupts
// enabled. It passes a region_begin probe point at `region`; `main` follows.
std::string program(const std::string& main, const std::string& enable = "sti") {
    return fmt::format(R"(
    .intel_syntax noprefix
    start:
        lgdt [gdt_pointer]
        lidt [idt_pointer]
        lea eax, handler
        mov ecx, eax
        shr ecx, 16
        and eax, 0xffff
        or eax, 0x80000
        shl ecx, 16
        or ecx, 0x8e00
        mov [0x210238], eax
        mov [0x21023c], ecx
        mov ebx, 0xc8000100
        mov dword ptr [ebx + 0x10], 0x80
        mov esp, [0xc8000000]
        shl esp, 12
        add esp, 0x221000
        mov ecx, 100
    settle:
        dec ecx
        jnz settle
        cmp dword ptr [0xc8000000], 0
        jne others
        {1}
        mov edi, 0x230000
    region:
        {0}
    done:
        jmp done
    others:
        mov al, 1
        xchg [0x200200], al
        inc dword ptr [0x200104]
        mov byte ptr [0x200200], 0
        mov dword ptr [0x200100], 1
        jmp others
    handler:
        push eax
        mov eax, [esp + 4]
        mov [0x200000], eax
        inc dword ptr [0x200004]
        pop eax
        iret
        {2}
    )",
                       main, enable, kFlatTables);
}

// The bytes up to `region`, found by assembling twice.
Address region_of(const std::string& main, const std::string& enable) {
    std::string source = program(main, enable);
    source.resize(source.find("    region:"));
    return SmallMachine::kCode +
           static_cast<Address>(
               assemble_program(source + "\nothers: handler: gdt_pointer: idt_pointer:\n",
                                SmallMachine::kCode)
                   .size());
}

ProbeOperand number(std::uint32_t value) {
    ProbeOperand operand;
    operand.disp = value;
    return operand;
}

std::vector<ScheduleEntry> interrupt_after(std::uint64_t instructions) {
    return {{ScheduleEntry::At::instruction, ScheduleEntry::What::interrupt, instructions, 0}};
}
Schedule after(std::uint64_t instructions) {
    return Schedule(interrupt_after(instructions), kRegion);
}
EntryOutcome outcome(SmallMachine& machine) {
    return machine.processor(0).schedule().outcomes().front();
}

constexpr Time kEnd = 2 * kMillisecond;

// The eip after each instruction of processor 0 from `from` on, as stepping shows it.
std::vector<Address> boundaries(SmallMachine& machine, Address from, std::size_t count) {
    std::vector<Address> all;
    std::uint64_t retired = 0;
    bool inside = false;
    const Context& context = machine.processor(0).context();
    const Time clock = machine.processor(0).clock().cycles(1);
    for (Time to = 0; to < kEnd && all.size() < count; to += clock) {
        machine.step_until(to);
        if (context.instructions == retired) {
            inside = inside || context.eip == from;
            continue;
        }
        if (inside) all.push_back(context.eip);
        inside = inside || context.eip == from;
        retired = context.instructions;
    }
    return all;
}

class Preempted {
  public:
    Preempted(const std::string& main, unsigned processors, const std::string& enable = "sti",
              const Protocol* protocol = &protocols::write_through)
        : code_(assemble_program(program(main, enable), SmallMachine::kCode)),
          region_(region_of(main, enable)),
          processors_(processors),
          protocol_(protocol) {}

    // Preempts after 1, 2, ... `count` instructions of the region.
    void sweep(std::size_t count) {
        auto plain = machine();
        const std::vector<Address> expected = boundaries(*plain, region_, count);
        ASSERT_EQ(expected.size(), count);
        for (std::size_t n = 1; n <= count; ++n) {
            auto fast = machine(), slow = machine();
            fast->processor(0).set_schedule(after(n));
            slow->processor(0).set_schedule(after(n));
            fast->run_fast_until(kEnd);
            slow->step_until(kEnd);
            ASSERT_EQ(fast->state(), slow->state()) << "after " << n;
            ASSERT_EQ(fast->memory.read(kTimes, 4), 1u) << "after " << n;
            ASSERT_EQ(fast->memory.read(kInterrupted, 4), expected[n - 1]) << "after " << n;
            ASSERT_EQ(outcome(*fast).start, outcome(*slow).start);
            ASSERT_EQ(outcome(*fast).eip, expected[n - 1]);
        }
    }

    std::unique_ptr<SmallMachine> machine() const {
        auto made =
            std::make_unique<SmallMachine>(processors_, code_, test_controller_config(), protocol_);
        made->probe(region_, ProbeKind::region_begin, number(kRegion));
        return made;
    }

  private:
    std::vector<std::uint8_t> code_;
    Address region_;
    unsigned processors_;
    const Protocol* protocol_;
};

TEST(Preemption, ComesAfterEachInstructionOfAFunction) {
    Preempted(
        "nop; call f; inc edx; jmp done; f: mov eax, [edi]; add [edi], eax;"
        "mov [edi + 4], eax; imul eax, edx; push eax; pop ecx; ret",
        1)
        .sweep(12);
}

TEST(Preemption, ComesWithinCountedAndRepeatingLoops) {
    Preempted("mov ecx, 40; count: dec ecx; jnz count; spin: cmp ecx, 1; jne spin", 1).sweep(150);
}

TEST(Preemption, ComesWhileOthersContend) {
    for (const Protocol* const protocol :
         {&protocols::write_through, &protocols::write_back, &protocols::write_update})
        Preempted(
            "again: mov al, 1; xchg [0x200200], al; test al, al; jz got; wait:"
            "cmp byte ptr [0x200200], 0; jne wait; jmp again; got: inc dword ptr [0x200104];"
            "mov dword ptr [0x200100], 0; mov byte ptr [0x200200], 0; jmp again",
            3, "sti", protocol)
            .sweep(60);
}

TEST(Preemption, ComesOnceBeforeAndOnceAfterARepeatedStringInstruction) {
    Preempted("mov ecx, 20; rep stosd; nop; nop", 1).sweep(4);
}

// The instruction after sti is protected by it: both boundaries lead to the same eip.
TEST(Preemption, StaysPendingWhileInterruptsAreDisabled) {
    const std::string main = "nop; nop; nop; sti; nop; inc eax";
    Preempted preempted(main, 1, "cli");
    const Address enabled = region_of(main, "cli") + 5;
    for (std::uint64_t n = 1; n <= 4; ++n) {
        auto machine = preempted.machine();
        machine->processor(0).set_schedule(after(n));
        machine->run_fast_until(kEnd);
        EXPECT_EQ(machine->memory.read(kInterrupted, 4), enabled) << n;
        EXPECT_EQ(machine->memory.read(kTimes, 4), 1u);
    }
}

TEST(Preemption, WakesAProcessorThatHasJustHalted) {
    Preempted("nop; hlt; nop; inc eax", 1).sweep(2);
}

TEST(Preemption, CountsFromTheStartOfTheRun) {
    auto machine = Preempted("nop; nop", 1).machine();
    machine->processor(0).set_schedule(Schedule(interrupt_after(3)));
    machine->run_fast_until(kEnd);
    EXPECT_TRUE(outcome(*machine).reached);
    EXPECT_FALSE(machine->processor(0).schedule().active());
    EXPECT_EQ(machine->memory.read(kTimes, 4), 1u) << "pending until sti";
}

TEST(Preemption, NeverComesIfTheRegionDoesNotBegin) {
    auto machine = Preempted("nop; nop", 1).machine();
    machine->processor(0).set_schedule(Schedule(interrupt_after(1), kRegion + 1));
    machine->run_fast_until(kEnd);
    EXPECT_TRUE(machine->processor(0).schedule().awaits_region());
    EXPECT_EQ(machine->memory.read(kTimes, 4), 0u);
}

}  // namespace
}  // namespace symsim::test
