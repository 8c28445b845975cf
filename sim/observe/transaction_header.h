// SPDX-License-Identifier: MIT
// What bus.log.zst says of itself in its first line: the layout of its records, the names behind
// their numbers, and the names of the guest's addresses.
#pragma once

#include <string>
#include <vector>

#include "sim/base/named_range.h"

namespace symsim {

// One line of JSON with its end of line. The symbols are disjoint, in order of address.
std::string transaction_header(unsigned processors, const std::vector<NamedRange>& symbols);

}  // namespace symsim
