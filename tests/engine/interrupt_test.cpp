// SPDX-License-Identifier: MIT
// Tests interrupts in the fast engine. They come to processors that have run ahead, sleep in a
// loop, are halted, or are in the middle of an instruction. Each time the state must be that of a
// machine that is stepped.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <random>

#include "sim/base/activity.h"
#include "tests/support/assembler.h"
#include "tests/support/small_machine.h"

namespace symsim::test {
namespace {

// The guest. It has a 32-bit interrupt gate for each vector from 0x40 on, in a table at 0x210000.
// All lead to one handler after the main program, which counts in memory and reads a SLIC register.
// The processor executes `main` with interrupts enabled.
std::string program(unsigned ticks, unsigned mask, const std::string& setup,
                    const std::string& main) {
    return fmt::format(R"(
    .intel_syntax noprefix
    .globl start
    start:
        lgdt [gdt_pointer]
        lea eax, handler
        mov ecx, eax
        shr ecx, 16
        and eax, 0xffff
        or eax, 0x80000
        shl ecx, 16
        or ecx, 0x8e00
        mov edx, 8
    gates:
        mov [0x210200 + edx * 8 - 8], eax
        mov [0x210204 + edx * 8 - 8], ecx
        dec edx
        jnz gates
        lidt [idt_pointer]
        mov ebx, 0xc8000100
        mov dword ptr [ebx + 0x24], {}
        mov dword ptr [ebx + 0x28], 3
        mov dword ptr [ebx + 0x10], {}
        mov esp, [0xc8000000]
        shl esp, 12
        add esp, 0x221000
        {}
        sti
        {}
    handler:
        push eax
        mov eax, [0xc8000000]
        lock inc dword ptr [0x200000 + eax * 4]
        mov eax, [0xc8000120]
        mov [esp - 64], eax
        pop eax
        iret
        {}
    )",
                       ticks, mask, setup, main, kFlatTables);
}

// Reports are in order of time for each processor only, so they are sorted by processor.
auto by_processor(std::vector<std::tuple<ProcessorId, Time, ProcessorState>> states) {
    std::stable_sort(states.begin(), states.end(), [](const auto& a, const auto& b) {
        return std::get<ProcessorId>(a) < std::get<ProcessorId>(b);
    });
    return states;
}

void agree(const std::vector<std::uint8_t>& code, unsigned processors, unsigned seed,
           std::uint32_t least) {
    SmallMachine fast(processors, code);
    SmallMachine slow(processors, code);
    std::mt19937 random(seed);
    Time to = 0;
    for (int stop = 0; stop < 300; ++stop) {
        to += 1 + static_cast<Time>(random() % (random() % 8 == 0 ? 90'000'000 : 3'000'000));
        fast.run_fast_until(to);
        slow.step_until(to);
        ASSERT_EQ(fast.state(), slow.state()) << "seed " << seed << " at " << to;
    }
    for (ProcessorId p = 0; p < processors; ++p)
        EXPECT_GE(fast.memory.read(SmallMachine::kData + 4 * p, 4), least)
            << "processor " << p << ": " << slow.processor(p).failure().what;
    EXPECT_EQ(by_processor(fast.observer.states), by_processor(slow.observer.states));
}

std::vector<std::uint8_t> code_of(const std::string& source) {
    return assemble_program(source, SmallMachine::kCode);
}

TEST(Interrupts, WakeASleepingLoop) {
    agree(code_of(program(99, 0x80, "", "again: cmp byte ptr [0x200100], 0; je again; hlt")), 3, 1,
          50);
}

TEST(Interrupts, WakeAHaltedProcessor) {
    agree(code_of(program(61, 0x80, "", "again: hlt; jmp again")), 2, 2, 50);
}

TEST(Interrupts, ComeBetweenTheElementsOfARepeatedStringInstruction) {
    agree(code_of(program(37, 0x80, "",
                          "again: mov edi, 0x230000; mov ecx, 500; rep stosd; jmp again")),
          2, 3, 50);
}

TEST(Interrupts, AreMaskedByTheInterruptFlag) {
    agree(code_of(program(11, 0x80, "",
                          "again: cli; mov ecx, 40; inner: imul eax, ecx; loop inner; sti; nop;"
                          "inc edx; jmp again")),
          3, 4, 50);
}

TEST(Interrupts, AreSentFromProcessorToProcessor) {
    // Each processor sends to the next, as fast as the command register allows.
    agree(code_of(program(255, 0x03,
                          "mov eax, [0xc8000000]; inc eax; cmp eax, [0xc8000004]; jb not_last;"
                          "xor eax, eax; not_last: mov [ebx + 4], eax; mov dword ptr [ebx + 8], 0;"
                          "mov dword ptr [ebx + 12], 0x40",
                          "again: mov dword ptr [ebx], 1; mov ecx, 9; wait: imul eax, ecx;"
                          "loop wait; jmp again")),
          4, 5, 20);
}

TEST(Interrupts, ComeWhileOthersContendForALock) {
    agree(code_of(program(23, 0x80, "",
                          "again: mov al, 1; xchg [0x200200], al; test al, al; jnz again;"
                          "inc dword ptr [0x200204]; mov byte ptr [0x200200], 0; jmp again")),
          5, 6, 20);
}

}  // namespace
}  // namespace symsim::test
