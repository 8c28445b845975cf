// SPDX-License-Identifier: MIT
// The clocks of each instruction, as the Intel 80386 Programmer's Reference Manual (1986, chapter
// 17) gives them, with everything in the cache and no wait states. Branches lead to a hlt, which
// has one component: m is 1.
#include <gtest/gtest.h>

#include "tests/cpu/bench.h"
#include "tests/cpu/clock_tables.h"

namespace symsim::test {
namespace {

struct Row {
    const char* text;
    Bytes bytes;
    unsigned clocks;
};

void expect(const std::vector<Row>& rows, const std::function<void(Bench&)>& prepare = nullptr) {
    for (const Row& row : rows) {
        Bench bench;
        bench.regs()[ebx] = bench.regs()[esi] = Bench::kData;
        bench.regs()[edi] = Bench::kData + 64;
        bench.regs()[ebp] = Bench::kData + 256;
        bench.regs()[edx] = 0;
        if (prepare) prepare(bench);
        EXPECT_EQ(bench.clocks(row.bytes), row.clocks) << row.text;
        EXPECT_EQ(bench.complaint(), "") << row.text;
    }
}

TEST(Clocks, Moves) {
    expect({{"mov eax, ecx", {0x89, 0xc8}, 2},
            {"mov eax, 1", {0xb8, 1, 0, 0, 0}, 2},
            {"mov eax, [ebx]", {0x8b, 0x03}, 4},
            {"mov [ebx], eax", {0x89, 0x03}, 2},
            {"mov dword [ebx], 1", {0xc7, 0x03, 1, 0, 0, 0}, 2},
            {"mov eax, [moffs]", {0xa1, 0, 0x40, 0x20, 0}, 4},
            {"mov [moffs], eax", {0xa3, 0, 0x40, 0x20, 0}, 2},
            {"movzx eax, cl", {0x0f, 0xb6, 0xc1}, 3},
            {"movsx eax, word [ebx]", {0x0f, 0xbf, 0x03}, 6},
            {"lea eax, [ebx]", {0x8d, 0x03}, 2},
            {"xchg eax, ecx", {0x91}, 3},
            {"xlat", {0xd7}, 5},
            {"cwde", {0x98}, 3},
            {"cdq", {0x99}, 2},
            {"nop", {0x90}, 3},
            {"rep nop, later pause", {0xf3, 0x90}, 3},
            {"sete al", {0x0f, 0x94, 0xc0}, 4},
            {"sete [ebx]", {0x0f, 0x94, 0x03}, 5}});
}

TEST(Clocks, BaseIndexAndDisplacementTogetherTakeOneMore) {
    expect({{"mov eax, [ebx + 4]", {0x8b, 0x43, 4}, 4},
            {"mov eax, [ebx + edx]", {0x8b, 0x04, 0x13}, 4},
            {"mov eax, [ebx + edx + 4]", {0x8b, 0x44, 0x13, 4}, 5},
            {"lea eax, [ebx + edx*4 + 4]", {0x8d, 0x44, 0x93, 4}, 3}});
}

TEST(Clocks, ArithmeticAndShifts) {
    expect({{"add eax, ecx", {0x01, 0xc8}, 2},
            {"add eax, [ebx]", {0x03, 0x03}, 6},
            {"add [ebx], eax", {0x01, 0x03}, 7},
            {"add dword [ebx], 1", {0x83, 0x03, 1}, 7},
            {"cmp eax, [ebx]", {0x3b, 0x03}, 6},
            {"cmp [ebx], eax", {0x39, 0x03}, 5},
            {"test [ebx], eax", {0x85, 0x03}, 5},
            {"inc eax", {0x40}, 2},
            {"inc dword [ebx]", {0xff, 0x03}, 6},
            {"neg eax", {0xf7, 0xd8}, 2},
            {"not dword [ebx]", {0xf7, 0x13}, 6},
            {"shl eax, 1", {0xd1, 0xe0}, 3},
            {"shl dword [ebx], 5", {0xc1, 0x23, 5}, 7},
            {"rcl eax, 1", {0xd1, 0xd0}, 9},
            {"shld eax, ecx, 3", {0x0f, 0xa4, 0xc8, 3}, 3},
            {"bt eax, ecx", {0x0f, 0xa3, 0xc8}, 3},
            {"bt [ebx], ecx", {0x0f, 0xa3, 0x0b}, 12},
            {"bts [ebx], ecx", {0x0f, 0xab, 0x0b}, 13},
            {"bts dword [ebx], 3", {0x0f, 0xba, 0x2b, 3}, 8},
            {"aam", {0xd4, 10}, 17},
            {"cld", {0xfc}, 2},
            {"sti", {0xfb}, 3}});
}

TEST(Clocks, MultiplicationTakesLessForASmallMultiplier) {
    struct Case {
        std::uint32_t multiplier;
        unsigned mul, imul;
    };
    for (const Case& c : {Case{0, 9, 9},
                          {1, 9, 9},
                          {8, 9, 9},
                          {9, 10, 10},
                          {0x100, 14, 14},
                          {0x101, 15, 15},
                          {0x80000000, 37, 37},
                          {0x80000001, 38, 37},
                          {0xffffffff, 38, 9}}) {
        const auto set = [&](Bench& b) {
            b.regs()[ecx] = c.multiplier;
            b.memory.write(Bench::kData, 4, c.multiplier);
        };
        expect({{"mul ecx", {0xf7, 0xe1}, c.mul},
                {"mul dword [ebx]", {0xf7, 0x23}, c.mul + 3},
                {"imul eax, ecx", {0x0f, 0xaf, 0xc1}, c.imul},
                {"imul eax, [ebx]", {0x0f, 0xaf, 0x03}, c.imul + 3}},
               set);
    }
    expect({{"imul eax, ecx, 100", {0x6b, 0xc1, 100}, 13}});
}

TEST(Clocks, DivisionTakesAStepPerBit) {
    const auto set = [](Bench& b) {
        b.regs()[eax] = 7;
        b.regs()[ecx] = 3;
        b.memory.write(Bench::kData, 4, 3);
    };
    expect({{"div cl", {0xf6, 0xf1}, 14},
            {"div cx", {0x66, 0xf7, 0xf1}, 22},
            {"div ecx", {0xf7, 0xf1}, 38},
            {"div dword [ebx]", {0xf7, 0x33}, 41},
            {"idiv cl", {0xf6, 0xf9}, 19},
            {"idiv cx", {0x66, 0xf7, 0xf9}, 27},
            {"idiv ecx", {0xf7, 0xf9}, 43},
            {"idiv dword [ebx]", {0xf7, 0x3b}, 46}},
           set);
}

TEST(Clocks, BitScansTakeThreeClocksForEachBitPassed) {
    expect({{"bsf eax, ecx", {0x0f, 0xbc, 0xc1}, 10 + 3 * 4},
            {"bsr eax, ecx", {0x0f, 0xbd, 0xc1}, 10 + 3 * 26}},
           [](Bench& b) { b.regs()[ecx] = 0x30; });
    expect({{"bsf eax, 0", {0x0f, 0xbc, 0xc1}, 10}});
}

TEST(Clocks, JumpsTakeMOfTheirTarget) {
    expect({{"jmp +1", {0xeb, 1}, 7 + 1},
            {"jmp eax", {0xff, 0xe0}, 7 + 1},
            {"jmp [ebx]", {0xff, 0x23}, 10 + 1},
            {"jne +1, taken", {0x75, 1}, 7 + 1},
            {"je +1, not taken", {0x74, 1}, 3},
            {"call +1", {0xe8, 1, 0, 0, 0}, 7 + 1},
            {"call [ebx]", {0xff, 0x13}, 10 + 1},
            {"ret", {0xc3}, 10 + 1},
            {"ret 8", {0xc2, 8, 0}, 10 + 1},
            {"jecxz +1, taken", {0xe3, 1}, 9 + 1},
            {"loop +1", {0xe2, 1}, 11 + 1}},
           [](Bench& b) {
               b.regs()[eax] = Bench::kCode + 32;
               b.memory.write(Bench::kData, 4, Bench::kCode + 32);
               b.memory.write(Bench::kStack, 4, Bench::kCode + 32);
           });
    expect({{"jecxz, not taken", {0xe3, 1}, 5}}, [](Bench& b) { b.regs()[ecx] = 1; });
    // m is 5: opcode, modrm, sib, displacement, constant.
    expect({{"jmp to mov dword [ebx + edx + 4], 1",
             {0xeb, 1, 0xf4, 0xc7, 0x44, 0x13, 4, 1, 0, 0, 0},
             7 + 5 + 3}});
}

TEST(Clocks, Stack) {
    expect({{"push eax", {0x50}, 2},
            {"push 1", {0x6a, 1}, 2},
            {"push dword [ebx]", {0xff, 0x33}, 5},
            {"pop eax", {0x58}, 4},
            {"pop dword [ebx]", {0x8f, 0x03}, 5},
            {"pusha", {0x60}, 18},
            {"popa", {0x61}, 24},
            {"pushf", {0x9c}, 4},
            {"leave", {0xc9}, 4},
            {"enter 8, 0", {0xc8, 8, 0, 0}, 10},
            {"enter 8, 1", {0xc8, 8, 0, 1}, 12},
            {"enter 8, 2", {0xc8, 8, 0, 2}, 19},
            {"enter 8, 4", {0xc8, 8, 0, 4}, 27}},
           [](Bench& b) { b.memory.write(Bench::kStack, 4, 0); });
}

TEST(Clocks, StringInstructionsSingleAndRepeated) {
    expect({{"movsd", {0xa5}, 7},
            {"stosb", {0xaa}, 4},
            {"lodsb", {0xac}, 5},
            {"scasb", {0xae}, 7},
            {"cmpsd", {0xa7}, 10}});
    struct Case {
        const char* text;
        std::uint8_t opcode;
        unsigned n;
    };
    for (const Case& c : {Case{"rep movsd", 0xa5, 4},
                          {"rep stosd", 0xab, 5},
                          {"rep lodsd", 0xad, 6},
                          {"repe scasd", 0xaf, 8},
                          {"repe cmpsd", 0xa7, 9}}) {
        for (const unsigned count : {0u, 1u, 6u})
            expect({{c.text, {0xf3, c.opcode}, 5 + c.n * count}},
                   [=](Bench& b) { b.regs()[ecx] = count; });
    }
}

TEST(Clocks, ARepeatThatEndsEarlyTakesOnlyTheIterationsExecuted) {
    expect({{"repe cmpsd", {0xf3, 0xa7}, 5 + 9 * 3}}, [](Bench& b) {
        b.regs()[ecx] = 6;
        b.memory.write(Bench::kData + 8, 4, 1);
    });
}

// The bus waits alike in both modes, so only the difference is exact. A repeated instruction has
// one element here; clock_table/system.txt has those with none.
TEST(Clocks, PortsTakeSixMoreInRealMode) {
    for (const Bytes& bytes : std::vector<Bytes>{{0xe4, 0x60},
                                                 {0xed},
                                                 {0xe6, 0x60},
                                                 {0xef},
                                                 {0x6c},
                                                 {0x6f},
                                                 {0xf3, 0x6c},
                                                 {0xf3, 0x6f}}) {
        Bench in_protected_mode, in_real_mode;
        for (Bench* const bench : {&in_protected_mode, &in_real_mode}) {
            bench->answers = true;
            bench->regs()[ecx] = 1;
            bench->regs()[esi] = Bench::kData;
            bench->regs()[edi] = Bench::kData + 64;
        }
        go_to_real_mode(in_real_mode.memory, in_real_mode.processor);
        EXPECT_EQ(in_real_mode.clocks(bytes), in_protected_mode.clocks(bytes) + 6)
            << std::hex << unsigned{bytes.front()} << unsigned{bytes.back()};
    }
}

TEST(Clocks, AnOperandAcrossTwoDwordsTakesOneBusCycleMore) {
    expect({{"mov eax, [ebx + 2]", {0x8b, 0x43, 2}, 6},
            {"mov ax, [ebx + 2]", {0x66, 0x8b, 0x43, 2}, 4},
            {"mov [ebx + 1], eax", {0x89, 0x43, 1}, 4}});
}

}  // namespace
}  // namespace symsim::test
