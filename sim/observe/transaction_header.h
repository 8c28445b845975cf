// SPDX-License-Identifier: MIT
// The first line of bus.log.zst, which describes the rest: the layout of the records, the names
// that their numbers stand for, and the symbols at the guest's addresses.
#pragma once

#include <string>
#include <vector>

#include "sim/base/named_range.h"

namespace symsim {

// One line of JSON with a newline. The symbols must be disjoint and in order of address.
std::string transaction_header(unsigned processors, unsigned resources,
                               const std::vector<NamedRange>& symbols);

}  // namespace symsim
