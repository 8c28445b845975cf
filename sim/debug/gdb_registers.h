// SPDX-License-Identifier: MIT
// A processor's registers by the numbers and sizes that GDB uses for an i386 with an 80387. 0 to 15
// are the integer registers, 16 to 23 st(0) to st(7), 24 to 31 the coprocessor's control
// registers.
#pragma once

#include <string>
#include <string_view>

#include "sim/cpu/core/processor.h"

namespace symsim {

constexpr unsigned kGdbRegisters = 32;

// The target description in XML that GDB asks for: name, size and type of each register.
std::string gdb_target_description();

// The register's value as bytes, least significant first.
std::string gdb_register(const Processor& processor, unsigned number);
// False: the register has another size, or cannot be set. A segment selector can be set only to
// the value it has, since only an instruction loads the descriptor that belongs to a selector. Nor
// can a register be set while an instruction is under way, which has used some registers already.
bool set_gdb_register(Processor& processor, unsigned number, std::string_view bytes);

// The same for eip: a linear address, as GDB has it.
bool set_gdb_pc(Processor& processor, LinearAddress linear);

}  // namespace symsim
