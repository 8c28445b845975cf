// SPDX-License-Identifier: MIT
// The part of the terminal's summary about address spaces and calls between them.
#pragma once

#include <string>

#include "sim/observe/report.h"

namespace symsim {

// Empty if the guest has one address space, and without calls.
std::string spaces_text(const RunReport& report);

}  // namespace symsim
