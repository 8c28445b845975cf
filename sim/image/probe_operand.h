// SPDX-License-Identifier: MIT
// The operand of a probe point, in the words the guest's compiler used.
#pragma once

#include <string_view>

#include "sim/cpu/core/probes.h"
#include "sim/image/symbols.h"

namespace symsim {

// AT&T syntax: "%eax", "$123", "$lock+4", "lock", "12(%esp)", "table(,%ebx,4)". Throws UserError
// saying what it cannot read.
ProbeOperand parse_probe_operand(std::string_view text, const Symbols& symbols);

}  // namespace symsim
