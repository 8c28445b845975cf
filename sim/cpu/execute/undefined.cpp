// SPDX-License-Identifier: MIT
// The handlers of what cannot be executed: instructions that the processor does not have (an
// undefined opcode, or an operand that the instruction does not take), and memory without code.
#include <fmt/format.h>

#include "sim/cpu/core/processor.h"
#include "sim/cpu/isa/handlers.h"

namespace symsim {

bool execute_undefined(Processor& cpu, const Op& op) {
    return cpu.refuse(*op.complaint);
}

bool execute_outside(Processor& cpu, const Op& op) {
    return cpu.fail(
        fmt::format("execution at {:#010x}, where no code of the guest image is", op.address),
        "look for a call through a null pointer, a wild jump or an overwritten return address: the "
        "backtrace shows the caller; for a guest that makes code of its own, set "
        "guest.code_anywhere = true");
}

}  // namespace symsim
