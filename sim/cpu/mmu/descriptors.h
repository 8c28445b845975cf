// SPDX-License-Identifier: MIT
// Descriptors in memory: reading, checking, and loading segment registers from them (PRM 6.3 and
// the instruction pages of MOV, LDS and far transfers). All of it is for instructions that have
// been serialized. False: could not go on, or an exception has been raised.
#pragma once

#include "sim/cpu/state/fault.h"
#include "sim/cpu/state/segment.h"

namespace symsim {

class Processor;

// The linear address of a selector's descriptor; raises `fault` with the selector as error code,
// plus `external`, if it lies beyond its table.
bool locate_descriptor(Processor& cpu, std::uint16_t selector, Fault fault, std::uint32_t external,
                       Address& at);
bool read_descriptor(Processor& cpu, std::uint16_t selector, Fault fault, Descriptor& descriptor,
                     std::uint32_t external = 0);
// Sets the accessed bit of a code or data descriptor, in memory and in `descriptor`, if it is not.
bool mark_accessed(Processor& cpu, std::uint16_t selector, Descriptor& descriptor);

// What loading `selector` into ds, es, fs or gs makes of the register.
bool data_segment(Processor& cpu, std::uint16_t selector, Segment& segment);
// The same for ss on privilege level `cpl`. `fault` is what a bad selector raises: general
// protection for loads by instructions, invalid TSS for stacks taken from one.
bool stack_segment(Processor& cpu, std::uint16_t selector, unsigned cpl, Fault fault,
                   Segment& segment, std::uint32_t external = 0);
// Real and virtual-8086 mode: the base follows from the selector.
Segment real_segment(const Processor& cpu, Seg which, std::uint16_t selector);

// Any of the above, by mode, and then the register is loaded.
bool load_segment(Processor& cpu, Seg which, std::uint16_t selector);

// Data segments that ring `cpl` may not use any more become null (PRM, RET).
void forget_inner_segments(Processor& cpu, unsigned cpl);

}  // namespace symsim
