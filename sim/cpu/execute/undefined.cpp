// SPDX-License-Identifier: MIT
// The handler of instructions that the processor does not have: an undefined opcode, or an operand
// that the instruction does not take.
#include "sim/cpu/core/processor.h"
#include "sim/cpu/isa/handlers.h"

namespace symsim {

bool execute_undefined(Processor& cpu, const Op& op) {
    return cpu.refuse(*op.complaint);
}

}  // namespace symsim
