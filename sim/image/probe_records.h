// SPDX-License-Identifier: MIT
// The probe points of a guest, from the records in its image.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/cpu/core/probes.h"
#include "sim/image/image.h"
#include "sim/image/symbols.h"

namespace symsim {

// Parses the operand of a probe point, which the guest's compiler has written in assembly syntax.
// AT&T syntax: "%eax", "$123", "$lock+4", "lock", "12(%esp)", "table(,%ebx,4)". A size may be in
// front as in sys/sdt.h: "-2@%eax" is a signed one of two bytes. Throws UserError
// saying which part cannot be parsed. In an image of several programs (guest/spaces.cmake) symbols
// are called PROGRAM.NAME, and NAME in a record of that program's code means its own.
ProbeOperand parse_probe_operand(std::string_view text, const Symbols& symbols,
                                 std::string_view program = {});

// Probe points at one address keep the order of their records, which is their order in the
// guest's source. Throws UserError naming image and record if a record is not valid.
ProbePoints probe_points(const Image& image);
// Whether the guest has probe points of some kind: is_process, is_call.
bool reports(const Image& image, bool (*of_kind)(ProbeKind));
// The names of its address spaces, by number; empty unless guest/spaces.cmake has built it.
std::vector<std::string> space_names(const Image& image);

}  // namespace symsim
