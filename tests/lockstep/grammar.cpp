// SPDX-License-Identifier: MIT
// The forms of the integer instructions. The flags that an instruction leaves undefined are those
// listed under "Flags Affected" on its page in chapter 17 of the 80386 Programmer's Reference
// Manual. Where the later Software Developer's Manual defines more flags of the same instruction
// (OF of a double shift by one, ZF of bit tests), the test requires them.
#include "tests/lockstep/grammar.h"

#include "tests/lockstep/pattern_table.h"

namespace symsim::test {
namespace {

constexpr std::uint32_t kO = Flags::kOverflow, kS = Flags::kSign, kZ = Flags::kZero,
                        kA = Flags::kAuxiliary, kP = Flags::kParity, kC = Flags::kCarry;

void add_arithmetic(PatternTable& t) {
    const char* const names[] = {"add", "or", "adc", "sbb", "and", "sub", "xor", "cmp"};
    for (std::uint8_t n = 0; n < 8; ++n) {
        const std::uint32_t undefined = n == 1 || n == 4 || n == 6 ? kA : 0;
        t.added = static_cast<std::uint8_t>(8 * n);
        t.lockable = n != 7;
        t.both(names[n], "00 /r", "01 /r", undefined);
        t.lockable = false;
        t.both(names[n], "02 /r", "03 /r", undefined);
        t.both(names[n], "04 ib", "05 iv", undefined);
        t.added = 0;
        t.digit = n;
        t.lockable = n != 7;
        t.both(names[n], "80 /n ib", "81 /n iv", undefined);
        t.add(names[n], "82 /n ib", 8, undefined).lockable =
            t.lockable;  // undocumented: same as 80
        t.add(names[n], "83 /n ib", 0, undefined).lockable = t.lockable;
        t.digit = 0;
        t.lockable = false;
    }
    t.both("test", "84 /r", "85 /r", kA);
    t.both("test", "a8 ib", "a9 iv", kA);
    t.both("test", "f6 /0 ib", "f7 /0 iv", kA);
    t.lockable = true;
    t.both("not", "f6 /2", "f7 /2");
    t.both("neg", "f6 /3", "f7 /3");
    t.both("inc", "fe /0", "ff /0");
    t.both("dec", "fe /1", "ff /1");
    t.lockable = false;
    t.add("inc", "40+r", 0);
    t.add("dec", "48+r", 0);
}

void add_multiply(PatternTable& t) {
    constexpr std::uint32_t kUndefined = kS | kZ | kA | kP;
    t.both("mul", "f6 /4", "f7 /4", kUndefined);
    t.both("imul", "f6 /5", "f7 /5", kUndefined);
    t.add("imul", "0f af /r", 0, kUndefined);
    t.add("imul", "69 /r iv", 0, kUndefined);
    t.add("imul", "6b /r ib", 0, kUndefined);
    t.both("div", "f6 /6", "f7 /6", Flags::kArithmetic, Trait::divide);
    t.both("idiv", "f6 /7", "f7 /7", Flags::kArithmetic, Trait::divide);
    t.add("aaa", "37", 0, kO | kS | kZ | kP);
    t.add("aas", "3f", 0, kO | kS | kZ | kP);
    t.add("daa", "27", 0, kO);
    t.add("das", "2f", 0, kO);
    t.add("aam", "d4 ib", 0, kO | kA | kC);
    t.add("aad", "d5 ib", 0, kO | kA | kC);
    t.add("cbw", "98", 0);
    t.add("cwd", "99", 0);
}

void add_shifts(PatternTable& t) {
    // Digit 6 is shl as well, but no manual lists it.
    const char* const names[] = {"rol", "ror", "rcl", "rcr", "shl", "shr", "sal", "sar"};
    for (std::uint8_t n = 0; n < 8; ++n) {
        const Trait trait = n < 4 ? Trait::rotate : Trait::shift;
        t.digit = n;
        t.both(names[n], "d0 /n", "d1 /n", 0, trait);
        t.both(names[n], "d2 /n", "d3 /n", 0, trait);
        t.both(names[n], "c0 /n ib", "c1 /n ib", 0, trait);
    }
    t.digit = 0;
    t.add("shld", "0f a4 /r ib", 0, 0, Trait::double_shift);
    t.add("shld", "0f a5 /r", 0, 0, Trait::double_shift);
    t.add("shrd", "0f ac /r ib", 0, 0, Trait::double_shift);
    t.add("shrd", "0f ad /r", 0, 0, Trait::double_shift);
}

void add_bits(PatternTable& t) {
    constexpr std::uint32_t kUndefined = kO | kS | kA | kP;
    t.add("bt", "0f a3 /r", 0, kUndefined, Trait::bit_string);
    t.add("bts", "0f ab /r", 0, kUndefined, Trait::bit_string).lockable = true;
    t.add("btr", "0f b3 /r", 0, kUndefined, Trait::bit_string).lockable = true;
    t.add("btc", "0f bb /r", 0, kUndefined, Trait::bit_string).lockable = true;
    t.add("bt", "0f ba /4 ib", 0, kUndefined);
    t.add("bts", "0f ba /5 ib", 0, kUndefined).lockable = true;
    t.add("btr", "0f ba /6 ib", 0, kUndefined).lockable = true;
    t.add("btc", "0f ba /7 ib", 0, kUndefined).lockable = true;
    t.add("bsf", "0f bc /r", 0, kUndefined | kC);
    t.add("bsr", "0f bd /r", 0, kUndefined | kC);
}

void add_moves(PatternTable& t) {
    t.both("mov", "88 /r", "89 /r");
    t.both("mov", "8a /r", "8b /r");
    t.both("mov", "c6 /0 ib", "c7 /0 iv");
    t.both("mov", "a0 moffs", "a1 moffs");
    t.both("mov", "a2 moffs", "a3 moffs");
    t.both("mov", "b0+r ib", "b8+r iv");
    t.lockable = true;
    t.both("xchg", "86 /r", "87 /r");
    t.lockable = false;
    t.add("xchg", "90+r", 0);
    t.add("movzx", "0f b6 /r", 0);
    t.add("movzx", "0f b7 /r", 0);
    t.add("movsx", "0f be /r", 0);
    t.add("movsx", "0f bf /r", 0);
    t.add("lea", "8d /rm", 0);
    t.add("bound", "62 /rm", 0, 0, Trait::bound);
    t.add("xlat", "d7", 8, 0, Trait::table);
    t.add("setcc", "0f 90+cc /r", 8);
}

void add_stack(PatternTable& t) {
    t.add("push", "50+r", 0);
    t.add("push", "68 iv", 0);
    t.add("push", "6a ib", 0);
    t.add("push", "ff /6", 0);
    t.add("pop", "58+r", 0);
    t.add("pop", "8f /0", 0);
    t.add("pusha", "60", 0);
    t.add("popa", "61", 0);
    t.add("enter", "c8 frame", 0, 0, Trait::frame);
    t.add("leave", "c9", 0, 0, Trait::frame);
    t.add("pushf", "9c", 0);
    t.add("popf", "9d", 0, 0, Trait::pop_flags);
    t.add("sahf", "9e", 0);
    t.add("lahf", "9f", 0);
    t.add("cmc", "f5", 0);
    t.add("clc", "f8", 0);
    t.add("stc", "f9", 0);
    t.add("cli", "fa", 0);
    t.add("sti", "fb", 0);
    t.add("cld", "fc", 0);
    t.add("std", "fd", 0);
}

void add_strings(PatternTable& t) {
    t.both("movs", "a4", "a5", 0, Trait::string);
    t.both("cmps", "a6", "a7", 0, Trait::compare_string);
    t.both("stos", "aa", "ab", 0, Trait::string);
    t.both("lods", "ac", "ad", 0, Trait::string);
    t.both("scas", "ae", "af", 0, Trait::compare_string);
}

void add_control(PatternTable& t) {
    t.add("jcc", "70+cc rel8", 0, 0, Trait::jump);
    t.add("jcc", "0f 80+cc relv", 0, 0, Trait::jump);
    t.add("loopne", "e0 rel8", 0, 0, Trait::jump);
    t.add("loope", "e1 rel8", 0, 0, Trait::jump);
    t.add("loop", "e2 rel8", 0, 0, Trait::jump);
    t.add("jecxz", "e3 rel8", 0, 0, Trait::jump);
    t.add("call", "e8 relv", 0, 0, Trait::jump);
    t.add("jmp", "e9 relv", 0, 0, Trait::jump);
    t.add("jmp", "eb rel8", 0, 0, Trait::jump);
    t.add("call", "ff /2", 0, 0, Trait::jump);
    t.add("jmp", "ff /4", 0, 0, Trait::jump);
    t.add("ret", "c3", 0, 0, Trait::ret);
    t.add("ret", "c2 iw", 0, 0, Trait::ret);
    t.add("int3", "cc", 0, 0, Trait::interrupt);
    t.add("int", "cd ib", 0, 0, Trait::interrupt);
    t.add("into", "ce", 0, 0, Trait::interrupt);
}

// Encodings that are undefined on all processors up to the 486.
void add_undefined(PatternTable& t) {
    for (const char* const encoding :
         {"0f 0b",     "0f ff",     "0f 04",       "0f 0a",       "0f 0c",     "0f 0e",
          "0f 25",     "0f 27",     "0f 36",       "0f 39",       "0f 3f",     "0f b8 /r",
          "0f b9 /r",  "fe /2",     "fe /3",       "fe /4",       "fe /5",     "fe /6",
          "fe /7",     "ff /7",     "8f /1",       "8f /5",       "c6 /1",     "c6 /6",
          "c7 /2",     "c7 /5",     "0f ba /0 ib", "0f ba /3 ib", "8d /rx",    "62 /rx",
          "c4 /rx",    "c5 /rx",    "0f b2 /rx",   "0f b4 /rx",   "0f b5 /rx", "8c /6",
          "8c /7",     "8e /1",     "8e /6",       "8e /7",       "0f 00 /6",  "0f 00 /7",
          "0f 01 /0x", "0f 01 /1x", "0f 01 /2x",   "0f 01 /3x",   "0f 01 /5",  "ff /3x",
          "ff /5x"})
        t.add("undefined", encoding, 0, 0, Trait::undefined);
}

}  // namespace

const std::vector<Pattern>& grammar() {
    static const std::vector<Pattern> kAll = [] {
        PatternTable table;
        for (const auto add : {add_arithmetic, add_multiply, add_shifts, add_bits, add_moves,
                               add_stack, add_strings, add_control, add_undefined})
            add(table);
        return table.all;
    }();
    return kAll;
}

}  // namespace symsim::test
