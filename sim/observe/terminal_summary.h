// SPDX-License-Identifier: MIT
// The one screen at the end of a run: how it ended, where the time went, who used the bus for
// what, and which locks were fought over. At most 100 columns; about 40 lines at the most.
#pragma once

#include <string>

#include "sim/observe/report.h"

namespace symsim {

// `folder` is where the files are, as the user named it.
std::string terminal_summary(const RunReport& report, const std::string& folder);

// "750 ns", "12.3 us", "4.56 ms", "7.89 s": three digits, for people only.
std::string short_time(Time t);
// "1,234,567"
std::string grouped(std::uint64_t n);

}  // namespace symsim
