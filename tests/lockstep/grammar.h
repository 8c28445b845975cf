// SPDX-License-Identifier: MIT
// The instruction forms, written as the manual's opcode column writes them.
//
// After the opcode's bytes: /r modrm with any register in its middle, /0 to /7 modrm with that
// digit; m or x behind either: memory or register only; +r, +cc: a register or condition in the
// last opcode byte; ib iw iv: constants of 1, 2, and operand size bytes; rel8 relv: displacements
// of branches; moffs: an offset of address size; frame: the two constants of enter; far: a far
// pointer.
#pragma once

#include <cstdint>
#include <vector>

namespace symsim::test {

// What a form's operands need, or its undefined flags depend on.
enum class Trait : std::uint8_t {
    plain,
    shift,         // flags by count
    rotate,        // flags by count
    double_shift,  // flags and result by count
    bit_string,    // the register operand reaches beyond the memory operand
    divide,        // half the operands shall fit
    string,
    compare_string,
    table,  // xlat
    frame,  // enter, leave: through ebp
    jump,   // the operand is where it goes
    ret,    // where it goes is on the stack
    bound,
    pop_flags,
    undefined,     // no such instruction
    selector,      // the operand is a selector
    far_pointer,   // a pointer in memory: les, ...
    far_jump,      // a pointer in memory or in the instruction
    far_return,    // on the stack
    pop_selector,  // on the stack
    interrupt,
    compare_exchange,  // of eax
    real_operand,      // in memory, of `bits` bits, as those that follow
    integer_operand,
    decimal_operand,
    to_integer,
    control_word,
    system,
};

struct Pattern {
    const char* name;
    const char* encoding;
    std::uint8_t bits;        // 8, or 0: by the operand size; of the coprocessor: of the operand
    std::uint32_t undefined;  // flags
    Trait trait;
    bool lockable;
    std::uint8_t added;  // to the last opcode byte: families of forms
    std::uint8_t digit;  // for /n in the encoding
};

// The integer instructions, and those that load segments or need a privilege.
const std::vector<Pattern>& grammar();
const std::vector<Pattern>& system_grammar();
// What the 486 has and the 386 has not.
const std::vector<Pattern>& i486_grammar();
const std::vector<Pattern>& float_grammar();

}  // namespace symsim::test
