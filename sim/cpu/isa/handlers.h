// SPDX-License-Identifier: MIT
// Chooses the handlers of an instruction. Each file of sim/cpu/execute/ defines the find_ function
// of one group of instructions. find_routine() asks the groups in turn; an instruction that no
// group knows is undefined. To add a group, add its file there and its function to find_routine().
#pragma once

#include <Zydis/Zydis.h>

#include <type_traits>

#include "sim/cpu/isa/op.h"

namespace symsim {

// The kinds of the first two operands in order: r register, m memory, i immediate, s segment
// register, c special register (control, debug or test).
enum class Form : std::uint8_t {
    none,
    r,
    m,
    i,
    rr,
    rm,
    mr,
    ri,
    mi,
    ir,
    s,
    sr,
    sm,
    rs,
    ms,
    rc,
    cr,
    other
};
enum class SpecialRegister : std::uint8_t { control, debug, test };

constexpr bool has_memory(Form f) {
    return f == Form::m || f == Form::rm || f == Form::mr || f == Form::mi || f == Form::sm ||
           f == Form::ms;
}

enum class Repeat : std::uint8_t { none, rep, repe, repne };

// The handlers of an instruction.
struct Routine {
    Handler execute = nullptr;  // null: of another group, or no such instruction
    FastHandler fast = leave_to_execute;
    FastHandler fast_entering = leave_to_execute;  // fast, for an instruction that enters a line

    constexpr Routine(Handler handler) : execute(handler) {}
    constexpr Routine(std::nullptr_t) {}
    constexpr Routine(Handler handler, FastHandler in_line, FastHandler entering)
        : execute(handler), fast(in_line), fast_entering(entering) {}
    explicit operator bool() const { return execute; }
};

constexpr std::uint8_t kNoCondition = 0xff;

// The properties of an instruction by which a group chooses its handlers.
struct Shape {
    ZydisMnemonic mnemonic = ZYDIS_MNEMONIC_INVALID;
    Form form = Form::none;                              // of the first two operands
    unsigned size = 4;                                   // bytes, of the first operand
    unsigned source_size = 4;                            // of the second
    SpecialRegister special = SpecialRegister::control;  // of forms rc and cr
    bool far = false;                                    // to another code segment
    bool immediate = false;  // the last operand is an immediate (shifts, imul, shld)
    Repeat repeat = Repeat::none;
    std::uint8_t condition = kNoCondition;  // of jcc and setcc
};

// A group's find_ function returns null for an instruction of another group.
Routine find_move(const Shape&);
Routine find_arithmetic(const Shape&);
Routine find_unary(const Shape&);
Routine find_shift(const Shape&);
Routine find_double_shift(const Shape&);
Routine find_multiply(const Shape&);
Routine find_bit(const Shape&);
Routine find_string(const Shape&);
Routine find_control(const Shape&);
Routine find_stack(const Shape&);
Routine find_decimal(const Shape&);
Routine find_flag(const Shape&);
Routine find_far(const Shape&);
Routine find_return(const Shape&);
Routine find_interrupt(const Shape&);
Routine find_segment(const Shape&);
Routine find_system(const Shape&);
Routine find_port(const Shape&);
Routine find_atomic(const Shape&);
Routine find_float(const Shape&);  // asks the next five
Routine find_float_move(const Shape&);
Routine find_float_arithmetic(const Shape&);
Routine find_float_compare(const Shape&);
Routine find_float_transcendental(const Shape&);
Routine find_float_control(const Shape&);
Routine find_routine(const Shape&);  // asks all groups

// The handler of an undefined instruction: raises the exception that Op::complaint names.
bool execute_undefined(Processor& cpu, const Op& op);
// The handler of all that the guest may not execute (CodeAttributes::loaded): a failure.
bool execute_outside(Processor& cpu, const Op& op);

// Calls `make` with the operand size as a compile-time constant.
template <class Make>
Routine by_size(unsigned size, Make make) {
    switch (size) {
        case 1:
            return make(std::integral_constant<unsigned, 1>{});
        case 2:
            return make(std::integral_constant<unsigned, 2>{});
        case 4:
            return make(std::integral_constant<unsigned, 4>{});
        default:
            return nullptr;
    }
}
// As by_size(), for instructions without a byte form.
template <class Make>
Routine by_word_size(unsigned size, Make make) {
    switch (size) {
        case 2:
            return make(std::integral_constant<unsigned, 2>{});
        case 4:
            return make(std::integral_constant<unsigned, 4>{});
        default:
            return nullptr;
    }
}

}  // namespace symsim
