// SPDX-License-Identifier: MIT
// Task state segments (TSS): the stacks of inner privilege levels, the I/O permission bit map, and
// the switch from one task to another (PRM chapter 7 and 8.3.2). All functions are only for
// non-speculative execution (Exceptions::non_speculative()).
#pragma once

#include <cstdint>

#include "sim/base/types.h"
#include "sim/cpu/state/segment.h"

namespace symsim {

class SegmentationUnit;

// The ways to enter a task. They differ in what happens to the back link, the busy bits and the NT
// flags.
enum class TaskEntry : std::uint8_t { jump, call, interrupt, interrupt_with_error_code, iret };

// Switches to the task of the TSS that `selector` names. The old task will continue at
// `return_eip`. `external` is the EXT bit of error codes.
bool switch_task(SegmentationUnit& cpu, std::uint16_t selector, TaskEntry entry, Offset return_eip,
                 std::uint32_t error_code = 0, std::uint32_t external = 0);

// A stack that the current TSS has for an inner privilege level, before it is loaded.
struct InnerStack {
    std::uint16_t selector = 0;
    Descriptor descriptor;
    std::uint32_t pointer = 0;

    Segment segment() const { return descriptor.segment(selector); }
};
// Reads and checks the stack for privilege level `cpl`.
bool find_inner_stack(SegmentationUnit& cpu, unsigned cpl, std::uint32_t external,
                      InnerStack& stack);

// Whether the `size` ports from `port` on may be accessed now: by privilege, or by the I/O
// permission bit map in the TSS. Raises #GP(0) if not.
bool ports_allowed(SegmentationUnit& cpu, std::uint32_t port, unsigned size);

}  // namespace symsim
