// SPDX-License-Identifier: MIT
// The part of the terminal's summary about near and far misses.
#pragma once

#include <string>

#include "sim/observe/report.h"

namespace symsim {

// Empty on a machine of one node.
std::string distance_text(const RunReport& report);

}  // namespace symsim
