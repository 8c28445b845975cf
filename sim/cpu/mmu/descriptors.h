// SPDX-License-Identifier: MIT
// Descriptors in memory: reads and checks them, and loads segment registers from them (PRM 6.3 and
// the instruction pages of MOV, LDS and far transfers). For non-speculative instructions only
// (Exceptions::non_speculative). False: an access cannot be made now, or an exception has been
// raised.
#pragma once

#include <optional>

#include "sim/cpu/state/fault.h"
#include "sim/cpu/state/system.h"

namespace symsim {

class SegmentationUnit;

// The linear address of a selector's descriptor, in the GDT or in `ldt`; nothing: it is beyond its
// table.
std::optional<Address> descriptor_address(const System& system, const Segment& ldt,
                                          std::uint16_t selector);
bool read_descriptor_at(SegmentationUnit& cpu, Address at, Descriptor& descriptor);
// If the descriptor is beyond its table, raises `fault`, with the selector plus `external` as error
// code.
bool read_descriptor(SegmentationUnit& cpu, std::uint16_t selector, Fault fault,
                     Descriptor& descriptor, std::uint32_t external = 0);
// Sets the accessed bit of a code or data descriptor, in memory and in `descriptor`, if it is
// clear. To be called when the descriptor has passed all checks.
bool mark_accessed(SegmentationUnit& cpu, std::uint16_t selector, Descriptor& descriptor);
// The same for a descriptor at linear address `at`.
bool mark_accessed_at(SegmentationUnit& cpu, Address at, Descriptor& descriptor);

// The contents of ds, es, fs or gs after `selector` has been loaded into it.
bool data_segment(SegmentationUnit& cpu, std::uint16_t selector, Segment& segment);
// Reads and checks the descriptor of a stack for privilege level `cpl`. A bad selector raises
// `fault`: general protection for loads by instructions, invalid TSS for stacks taken from a TSS.
bool stack_descriptor(SegmentationUnit& cpu, std::uint16_t selector, unsigned cpl, Fault fault,
                      Descriptor& descriptor, std::uint32_t external = 0);
// For real and virtual-8086 mode, where the base is computed from the selector.
Segment real_segment(const SegmentationUnit& cpu, Seg which, std::uint16_t selector);

// Loads a segment register by the rules of the current mode.
bool load_segment(SegmentationUnit& cpu, Seg which, std::uint16_t selector);

// Makes data segments null that ring `cpl` may not use any more (PRM, RET).
void forget_inner_segments(SegmentationUnit& cpu, unsigned cpl);

}  // namespace symsim
