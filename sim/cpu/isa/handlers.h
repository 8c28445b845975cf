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
    std::uint8_t condition = kNoCondition;  // of jcc, setcc, cmovcc
};

// A group's find_ function returns null for an instruction of another group.
Routine find_move(const Shape&);
Routine find_arithmetic(const Shape&);
Routine find_shift(const Shape&);
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
Routine find_identify(const Shape&);
Routine find_float_move(const Shape&);
Routine find_float_arithmetic(const Shape&);
Routine find_float_compare(const Shape&);
Routine find_float_transcendental(const Shape&);
Routine find_float_control(const Shape&);
Routine find_routine(const Shape&);  // asks all groups
// The handler that also reports the call or return; null for any other instruction.
Handler telling(Handler handler);

// The handler of an undefined instruction: raises the exception that Op::complaint names.
bool execute_undefined(Processor& cpu, const Op& op);
// The handler of all that the guest may not execute (CodeAttributes::loaded): a failure.
bool execute_outside(Processor& cpu, const Op& op);

// A row of a group's table: an instruction with its handlers, for one of 16 bits and for others, or
// with what finds them.
struct InstructionRow {
    using Find = Routine (*)(const Shape&);

    constexpr InstructionRow(ZydisMnemonic of, Routine all) : InstructionRow(of, all, all) {}
    constexpr InstructionRow(ZydisMnemonic of, Routine of_word, Routine other)
        : mnemonic(of), word(of_word), dword(other) {}
    constexpr InstructionRow(ZydisMnemonic of, Find by_shape) : mnemonic(of), find(by_shape) {}

    ZydisMnemonic mnemonic;
    Routine word = nullptr, dword = nullptr;
    Find find = nullptr;
};
template <std::size_t Count>
Routine find_in(const InstructionRow (&rows)[Count], const Shape& shape) {
    for (const InstructionRow& row : rows)
        if (row.mnemonic == shape.mnemonic)
            return row.find ? row.find(shape) : shape.size == 2 ? row.word : row.dword;
    return nullptr;
}

// Calls `make` with the size and with the form as a compile-time constant, for instructions with
// two operands.
template <class Size, class Make>
Routine by_form(Form form, Size size, Make make) {
    switch (form) {
        case Form::rr:
            return make(size, std::integral_constant<Form, Form::rr>{});
        case Form::ri:
            return make(size, std::integral_constant<Form, Form::ri>{});
        case Form::rm:
            return make(size, std::integral_constant<Form, Form::rm>{});
        case Form::mr:
            return make(size, std::integral_constant<Form, Form::mr>{});
        case Form::mi:
            return make(size, std::integral_constant<Form, Form::mi>{});
        default:
            return nullptr;
    }
}

// Of an instruction whose size does not matter: by whether an operand is in memory.
template <Handler InMemory, Handler InRegister>
Routine by_place(const Shape& shape) {
    return has_memory(shape.form) ? InMemory : InRegister;
}

// Calls `make` with the operand size as a compile-time constant: 2 or 4 bytes.
template <class Make>
Routine by_word_size(unsigned size, Make make) {
    if (size == 2) return make(std::integral_constant<unsigned, 2>{});
    if (size == 4) return make(std::integral_constant<unsigned, 4>{});
    return nullptr;
}
// The same for instructions that also have a byte form.
template <class Make>
Routine by_size(unsigned size, Make make) {
    return size == 1 ? make(std::integral_constant<unsigned, 1>{}) : by_word_size(size, make);
}
// As by_size(), and with whether an operand is in memory as a second constant.
template <class Make>
Routine by_operand(const Shape& shape, Make make) {
    return by_size(shape.size, [&](auto size) -> Routine {
        return has_memory(shape.form) ? make(size, std::true_type{})
                                      : make(size, std::false_type{});
    });
}
// The same for instructions without a byte form.
template <class Make>
Routine by_word_operand(const Shape& shape, Make make) {
    return by_word_size(shape.size, [&](auto size) -> Routine {
        return has_memory(shape.form) ? make(size, std::true_type{})
                                      : make(size, std::false_type{});
    });
}

}  // namespace symsim
