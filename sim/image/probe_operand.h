// SPDX-License-Identifier: MIT
// Parses the operand of a probe point, which the guest's compiler has written in assembly syntax.
#pragma once

#include <string_view>

#include "sim/cpu/core/probes.h"
#include "sim/image/symbols.h"

namespace symsim {

// AT&T syntax: "%eax", "$123", "$lock+4", "lock", "12(%esp)", "table(,%ebx,4)". Throws UserError
// saying which part cannot be parsed.
ProbeOperand parse_probe_operand(std::string_view text, const Symbols& symbols);

}  // namespace symsim
