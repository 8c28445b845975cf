// SPDX-License-Identifier: MIT
// A processor's registers in the numbers and sizes that GDB has for an i386 with an 80387: 0 to 15
// the integer registers, 16 to 23 st(0) to st(7), 24 to 31 the coprocessor's control registers.
#pragma once

#include <string>
#include <string_view>

#include "sim/cpu/core/processor.h"

namespace symsim {

constexpr unsigned kGdbRegisters = 32;

// What they are, for GDB: the target description of the protocol.
extern const std::string_view kGdbTargetDescription;

// Bytes, least significant first.
std::string gdb_register(const Processor& processor, unsigned number);
// False: it has another size, or cannot be set. A selector can be set to what it is only: what
// stands behind it comes from a descriptor, by an instruction.
bool set_gdb_register(Processor& processor, unsigned number, std::string_view bytes);

}  // namespace symsim
