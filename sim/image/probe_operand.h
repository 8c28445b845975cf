// SPDX-License-Identifier: MIT
// Parses the operand of a probe point, which the guest's compiler has written in assembly syntax.
#pragma once

#include <string_view>

#include "sim/cpu/core/probes.h"
#include "sim/image/symbols.h"

namespace symsim {

// AT&T syntax: "%eax", "$123", "$lock+4", "lock", "12(%esp)", "table(,%ebx,4)". Throws UserError
// saying which part cannot be parsed. In an image of several programs (guest/spaces.cmake) symbols
// are called PROGRAM.NAME, and NAME in a record of that program's code means its own.
ProbeOperand parse_probe_operand(std::string_view text, const Symbols& symbols,
                                 std::string_view program = {});

}  // namespace symsim
