// SPDX-License-Identifier: MIT
// Translated loops: registers, times, counts and times of last use are those of interpreted ones.
// tests/lockstep executes each instruction as translated code, tests/engine random guests.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sim/cpu/translate/hot_loops.h"
#include "tests/support/assembler.h"
#include "tests/support/small_machine.h"

namespace symsim::test {
namespace {

constexpr Time kEnd = 3 * kMillisecond;

std::string program(const std::string& text) {
    return ".intel_syntax noprefix\n.globl start\nstart:\n" + text;
}

// The same guest, interpreted and translated.
class Translated : public testing::Test {
  protected:
    void run(const std::string& text, Translation translation = Translation::all,
             const ControllerConfig& config = test_controller_config()) {
        const auto code = assemble_program(program(text), SmallMachine::kCode);
        const auto machine = [&](Translation which) {
            return std::make_unique<SmallMachine>(2, code, config, &protocols::write_through,
                                                  which);
        };
        interpreted = machine(Translation::none);
        translated = machine(translation);
        for (const Time to : {kEnd / 7, kEnd / 3, kEnd}) {
            interpreted->run_fast_until(to);
            translated->run_fast_until(to);
            ASSERT_EQ(interpreted->state(), translated->state()) << "at " << to;
        }
        EXPECT_TRUE(std::equal(interpreted->memory.data(),
                               interpreted->memory.data() + interpreted->memory.size(),
                               translated->memory.data()));
    }
    // How many instructions of the guest are translated.
    static unsigned count(SmallMachine& machine) {
        unsigned all = 0;
        for (Address a = SmallMachine::kCode; a < SmallMachine::kCode + 0x400;) {
            const Op& op = machine.decode(a);
            all += op.fast == execute_translated;
            a += op.length;
        }
        return all;
    }

    std::unique_ptr<SmallMachine> interpreted, translated;
};

// Nested loops with loads, stores and jumps of each condition.
std::string loop_of_all_conditions() {
    std::string text = "mov esi, 0x200000\nxor edi, edi\nagain:\n";
    for (const char* const condition :
         {"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"})
        text += fmt::format(
            "add ebx, 0x3779b9{0:02x}\ncmp bl, dl\nj{1} 1f\ninc edi\n1: mov ecx, ebx\n"
            "cmp ecx, eax\nmov edx, ebx\nj{1} 1f\nsub edi, 3\n1: shr ecx, 3\nand ecx, 0x3fc\n"
            "add eax, [esi+ecx]\nj{1} 1f\nneg edi\n1: dec edx\nj{1} 1f\nnot edi\n"
            "1: test dh, bl\nj{1} 1f\nmovsx eax, byte ptr [esi+ecx+1]\n1:\n",
            text.size() % 251, condition);
    return text + "mov [esi], edi\npush edi\npop edx\njmp again\n";
}

TEST_F(Translated, loops_leave_the_same_state) {
    run(loop_of_all_conditions());
    EXPECT_EQ(count(*interpreted), 0u);
    EXPECT_GT(count(*translated), 150u);
}

TEST_F(Translated, loops_leave_the_same_state_if_hits_wait_and_the_cache_has_one_way) {
    ControllerConfig config = test_controller_config();
    config.geometry = {4096, 1, 32};
    config.hit_wait_clocks = 1;
    run(loop_of_all_conditions(), Translation::all, config);
    EXPECT_GT(count(*translated), 150u);
}

// The scale is that of the base (Decoder.applies_a_scale_without_index_to_the_base).
TEST_F(Translated, loops_with_scales_without_index_leave_the_same_state) {
    constexpr const char* kLea = ".byte 0x8d, 0x04, 0x63";   // lea eax, [ebx + none * 2]
    constexpr const char* kLoad = ".byte 0x8b, 0x0c, 0x63";  // mov ecx, [ebx + none * 2]
    run(
        fmt::format("again: mov ebx, 0x100000\n1: {}\n{}\nadd edx, eax\nxor edx, ecx\n"
                    "add ebx, 2\ncmp ebx, 0x100040\njne 1b\nmov [0x200100], edx\njmp again\n",
                    kLea, kLoad));
    EXPECT_GT(count(*translated), 5u);
    const std::uint32_t address = translated->processor(0).regs()[eax];
    EXPECT_GE(address, 0x200000u);
    EXPECT_LT(address, 0x200080u);
}

TEST_F(Translated, short_loops_are_translated_and_long_ones_are_not) {
    const std::string text =
        "again: mov ecx, 1000\n1: add eax, ecx\nlea edx, [eax+ecx*2]\ndec ecx\ncmp ecx, 0\n"
        "jne 1b\nxor eax, ecx\nlea edx, [eax+ecx*4]\njmp 2f\n.skip 600, 0x90\n2: jmp again\n";
    run(text, Translation::hot);
    EXPECT_EQ(count(*translated), 4u) << "of the short loop, without its jump";
    run(text, Translation::all);
    EXPECT_EQ(count(*translated), 6u);
}

// The loop writes its own immediate, so that the translation is dropped again and again.
TEST_F(Translated, loops_whose_code_is_written_are_translated_again_and_then_interpreted) {
    run("again: mov ecx, 40\n1: add eax, 0x11111111\nxor edx, eax\nadd ebx, edx\nsub ecx, 1\n"
        "jne 1b\ninc byte ptr [1b+2]\njmp again\n");
    EXPECT_EQ(count(*translated), 0u);
}

TEST(HotLoops, are_short_and_turn_often) {
    HotLoops loops(Translation::hot);
    Op target, near, far;
    target.address = 0x1000;
    near.address = 0x1000 + 100;
    far.address = 0x1000 + 5000;
    unsigned turns = 1;
    while (!loops.finds(near, target)) ASSERT_LT(++turns, 100u);
    EXPECT_GT(turns, 3u);
    EXPECT_FALSE(loops.finds(near, target)) << "only once";
    HotLoops others(Translation::hot);
    for (int n = 0; n < 100; ++n) EXPECT_FALSE(others.finds(far, target));
    HotLoops none(Translation::none);
    for (int n = 0; n < 100; ++n) EXPECT_FALSE(none.finds(near, target));
    EXPECT_TRUE(HotLoops(Translation::all).finds(far, target));
}

}  // namespace
}  // namespace symsim::test
