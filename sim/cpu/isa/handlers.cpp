// SPDX-License-Identifier: MIT
// Asks the groups of instructions in turn for the handlers of an instruction.
#include "sim/cpu/isa/handlers.h"

namespace symsim {

Routine find_routine(const Shape& shape) {
    if (shape.form == Form::other) return nullptr;
    for (const auto find : {find_far,           find_return,
                            find_segment,       find_system,
                            find_move,          find_arithmetic,
                            find_shift,         find_multiply,
                            find_bit,           find_string,
                            find_control,       find_stack,
                            find_decimal,       find_flag,
                            find_interrupt,     find_port,
                            find_atomic,        find_identify,
                            find_float_move,    find_float_arithmetic,
                            find_float_compare, find_float_transcendental,
                            find_float_control}) {
        if (const Routine routine = find(shape)) return routine;
    }
    return nullptr;
}

}  // namespace symsim
