// SPDX-License-Identifier: MIT
// The instruction forms, written as in the manual's opcode column. After the opcode bytes come:
//
//   /r           modrm with any register in its reg field
//   /0 to /7     modrm with that digit in its reg field; /n: with Pattern::digit
//   m, x         after either of them: memory operand only, register operand only
//   +r, +cc      a register or a condition in the last opcode byte
//   ib iw iv     constants of 1 byte, 2 bytes, and operand size
//   rel8 relv    branch displacements of 1 byte and of operand size
//   moffs        an offset of address size
//   frame        the two constants of enter
//   far          a far pointer
#pragma once

#include <cstdint>
#include <vector>

namespace symsim::test {

// How the generator prepares a form's operands, and what its undefined flags depend on.
enum class Trait : std::uint8_t {
    plain,
    shift,         // which flags are undefined depends on the count
    rotate,        // which flags are undefined depends on the count
    double_shift,  // whether flags and result are undefined depends on the count
    bit_string,    // the register selects a bit beyond the addressed memory operand
    divide,        // operands are chosen so that many quotients fit
    string,
    compare_string,
    table,  // xlat
    frame,  // enter, leave: they use ebp
    jump,   // the operand is the target
    ret,    // the target is on the stack
    bound,
    pop_flags,
    undefined,     // no such instruction
    selector,      // the operand is a selector
    far_pointer,   // a far pointer in memory: les, ...
    far_jump,      // a far pointer in memory or in the instruction
    far_return,    // the far pointer is on the stack
    pop_selector,  // the selector is on the stack
    interrupt,
    compare_exchange,       // compares with eax
    compare_exchange_pair,  // with edx:eax
    real_operand,           // in memory, with `bits` bits, like the next two
    integer_operand,
    decimal_operand,
    to_integer,
    control_word,
    system,
};

struct Pattern {
    const char* name;
    const char* encoding;
    std::uint8_t bits;        // 8, or 0 for operand size; coprocessor: bits of the operand
    std::uint32_t undefined;  // flags that the manual leaves undefined
    Trait trait;
    bool lockable;
    std::uint8_t added;  // added to the last opcode byte, for families of forms
    std::uint8_t digit;  // for /n in the encoding
};

// The integer instructions, and those that load segments or need a privilege.
const std::vector<Pattern>& grammar();
const std::vector<Pattern>& system_grammar();
// The instructions that later instruction sets add to those of a 386.
const std::vector<Pattern>& added_grammar();
const std::vector<Pattern>& float_grammar();

}  // namespace symsim::test
