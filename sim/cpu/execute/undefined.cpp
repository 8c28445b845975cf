// SPDX-License-Identifier: MIT
// What no 386 executes: an undefined opcode, or an operand that an instruction does not take.
#include "sim/cpu/core/processor.h"
#include "sim/cpu/isa/handlers.h"

namespace symsim {

bool execute_undefined(Processor& cpu, const Op& op) {
    return cpu.refuse(*op.complaint);
}

}  // namespace symsim
