// SPDX-License-Identifier: MIT
// The summary that the terminal shows at the end of a run: how the run ended, the processors'
// times, the use of the bus, and the most contended locks. At most 100 columns and about 40 lines.
#pragma once

#include <string>
#include <vector>

#include "sim/observe/report.h"

namespace symsim {

// `folder` is the folder of the run's files, as the user named it.
std::string terminal_summary(const RunReport& report, const std::string& folder);

// Parts of the summary that --quiet prints too, as lines without their ends.
std::string last_line_text(const GuestReport& guest);
std::vector<std::string> unused_arguments_lines(const RunReport& report);
std::vector<std::string> position_lines(const RunReport& report);
std::vector<std::string> thread_lines(const RunReport& report);
// A line for each process that has faulted, up to some.
std::vector<std::string> fault_lines(const RunReport& report);

// "750 ns", "12.3 us", "4.56 ms", "7.89 s": three digits; for the terminal only.
std::string short_time(Time t);
// With commas: "1,234,567".
std::string grouped(std::uint64_t n);
// Cuts a guest's text to `width`. Shows control characters as '?', because they could move the
// cursor.
std::string clean(const std::string& text, std::size_t width);

}  // namespace symsim
