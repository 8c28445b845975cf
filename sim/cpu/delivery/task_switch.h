// SPDX-License-Identifier: MIT
// Task state segments: the stacks of inner rings, the port permission map, and the switch from one
// task to another (PRM chapter 7 and 8.3.2). For instructions that have been serialized.
#pragma once

#include <cstdint>

#include "sim/base/types.h"
#include "sim/cpu/state/segment.h"

namespace symsim {

class Processor;

// How a task is entered decides what becomes of the link, the busy bits and the NT flags.
enum class TaskEntry : std::uint8_t { jump, call, interrupt, interrupt_with_error_code, iret };

// To the task whose TSS `selector` names. `return_eip` is where the old task will go on.
bool switch_task(Processor& cpu, std::uint16_t selector, TaskEntry entry, Offset return_eip,
                 std::uint32_t error_code = 0, std::uint32_t external = 0);

// The stack for ring `cpl` from the present TSS.
bool inner_stack(Processor& cpu, unsigned cpl, std::uint32_t external, Segment& stack,
                 std::uint32_t& pointer);

// Whether these ports may be used now: by privilege, or by the map in the TSS; raises #GP(0) if
// not.
bool ports_allowed(Processor& cpu, std::uint32_t port, unsigned size);

// The selector of the task to which iret goes back.
bool read_back_link(Processor& cpu, std::uint16_t& selector);

}  // namespace symsim
