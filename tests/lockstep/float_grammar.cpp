// SPDX-License-Identifier: MIT
// The coprocessor's instructions, as the 80387 Programmer's Reference Manual (Intel 231917, 1987)
// encodes them. Two groups are left out: instructions that store the pointers to the last
// instruction, which QEMU does not keep, and the transcendental ones, which QEMU computes with the
// host's double precision.
#include "tests/lockstep/pattern_table.h"

namespace symsim::test {
namespace {

void add_arithmetic(PatternTable& t) {
    const char* const names[] = {"fadd", "fmul", "fcom", "fcomp", "fsub", "fsubr", "fdiv", "fdivr"};
    for (std::uint8_t n = 0; n < 8; ++n) {
        t.digit = n;
        t.add(names[n], "d8 /nm", 32, 0, Trait::real_operand);
        t.add(names[n], "dc /nm", 64, 0, Trait::real_operand);
        t.add(names[n], "da /nm", 32, 0, Trait::integer_operand);
        t.add(names[n], "de /nm", 16, 0, Trait::integer_operand);
        t.add(names[n], "d8 /nx", 80);
        const bool compares = n == 2 || n == 3;
        if (compares) continue;
        t.add(names[n], "dc /nx", 80);
        t.add(names[n], "de /nx", 80);
    }
    t.digit = 0;
}

void add_moves(PatternTable& t) {
    t.add("fld", "d9 /0m", 32, 0, Trait::real_operand);
    t.add("fld", "dd /0m", 64, 0, Trait::real_operand);
    t.add("fld", "db /5m", 80, 0, Trait::real_operand);
    t.add("fst", "d9 /2m", 32);
    t.add("fst", "dd /2m", 64);
    t.add("fstp", "d9 /3m", 32);
    t.add("fstp", "dd /3m", 64);
    t.add("fstp", "db /7m", 80);
    t.add("fild", "df /0m", 16, 0, Trait::integer_operand);
    t.add("fild", "db /0m", 32, 0, Trait::integer_operand);
    t.add("fild", "df /5m", 64, 0, Trait::integer_operand);
    t.add("fist", "df /2m", 16, 0, Trait::to_integer);
    t.add("fist", "db /2m", 32, 0, Trait::to_integer);
    t.add("fistp", "df /3m", 16, 0, Trait::to_integer);
    t.add("fistp", "db /3m", 32, 0, Trait::to_integer);
    t.add("fistp", "df /7m", 64, 0, Trait::to_integer);
    t.add("fbld", "df /4m", 80, 0, Trait::decimal_operand);
    t.add("fbstp", "df /6m", 80, 0, Trait::to_integer);
    t.add("fld", "d9 c0+r", 80);
    t.add("fxch", "d9 c8+r", 80);
    t.add("fst", "dd d0+r", 80);
    t.add("fstp", "dd d8+r", 80);
    for (const char* const encoding :
         {"d9 e8", "d9 e9", "d9 ea", "d9 eb", "d9 ec", "d9 ed", "d9 ee"})
        t.add("constant", encoding, 80);
}

// Of the 686 (guest/instruction_sets.def).
void add_added(PatternTable& t) {
    t.add("fcmovb", "da c0+r", 80);
    t.add("fcmove", "da c8+r", 80);
    t.add("fcmovbe", "da d0+r", 80);
    t.add("fcmovu", "da d8+r", 80);
    t.add("fcmovnb", "db c0+r", 80);
    t.add("fcmovne", "db c8+r", 80);
    t.add("fcmovnbe", "db d0+r", 80);
    t.add("fcmovnu", "db d8+r", 80);
    t.add("fcomi", "db f0+r", 80);
    t.add("fucomi", "db e8+r", 80);
    t.add("fcomip", "df f0+r", 80);
    t.add("fucomip", "df e8+r", 80);
}

void add_rest(PatternTable& t) {
    t.add("fucom", "dd e0+r", 80);
    t.add("fucomp", "dd e8+r", 80);
    t.add("fcompp", "de d9", 80);
    t.add("fucompp", "da e9", 80);
    t.add("ftst", "d9 e4", 80);
    t.add("fxam", "d9 e5", 80);
    t.add("fchs", "d9 e0", 80);
    t.add("fabs", "d9 e1", 80);
    t.add("fxtract", "d9 f4", 80);
    t.add("fsqrt", "d9 fa", 80);
    t.add("frndint", "d9 fc", 80, 0, Trait::to_integer);
    t.add("fscale", "d9 fd", 80);
    t.add("fprem", "d9 f8", 80);
    t.add("fprem1", "d9 f5", 80);
    t.add("fdecstp", "d9 f6", 80);
    t.add("fincstp", "d9 f7", 80);
    t.add("fnop", "d9 d0", 80);
    t.add("ffree", "dd c0+r", 80);
    t.add("fldcw", "d9 /5m", 16, 0, Trait::control_word);
    t.add("fnstcw", "d9 /7m", 16);
    t.add("fnstsw", "dd /7m", 16);
    t.add("fnstsw", "df e0", 16);
    t.add("fnclex", "db e2", 80);
    t.add("fninit", "db e3", 80);
    t.add("fwait", "9b", 80);
}

}  // namespace

const std::vector<Pattern>& float_grammar() {
    static const std::vector<Pattern> kAll = [] {
        PatternTable table;
        for (const auto add : {add_arithmetic, add_moves, add_added, add_rest}) add(table);
        return table.all;
    }();
    return kAll;
}

}  // namespace symsim::test
