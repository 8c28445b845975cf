// SPDX-License-Identifier: MIT
// One run from config to results.
#pragma once

#include <functional>

#include "sim/base/exit_code.h"
#include "sim/command_line/command_line.h"
#include "sim/config/config.h"

namespace symsim {

Exit run_guest(const CommandLine& line, const Config& config,
               const std::function<bool()>& interrupted);

}  // namespace symsim
