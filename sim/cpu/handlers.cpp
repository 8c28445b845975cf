// SPDX-License-Identifier: MIT
#include "sim/cpu/handlers.h"

namespace symsim {

Handler find_handler(const Shape& shape) {
    if (shape.form == Form::other) return nullptr;
    for (const auto find :
         {find_far,        find_return,    find_segment, find_system,       find_move,
          find_arithmetic, find_unary,     find_shift,   find_double_shift, find_multiply,
          find_bit,        find_string,    find_control, find_stack,        find_decimal,
          find_flag,       find_interrupt, find_port,    find_atomic,       find_float}) {
        if (const Handler handler = find(shape)) return handler;
    }
    return nullptr;
}

Handler find_float(const Shape& shape) {
    for (const auto find : {find_float_move, find_float_arithmetic, find_float_compare,
                            find_float_transcendental, find_float_control}) {
        if (const Handler handler = find(shape)) return handler;
    }
    return nullptr;
}

}  // namespace symsim
