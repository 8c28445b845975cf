// SPDX-License-Identifier: MIT
// Parses schedule.holds.
#pragma once

#include <string_view>
#include <vector>

#include "sim/base/schedule_entry.h"

namespace symsim {

// What entries look like, for messages.
constexpr std::string_view kScheduleForm =
    "PROCESSOR (access|instruction) N (hold NS|stores NS|interrupt), such as \"1 access 12 hold "
    "80000\", separated by commas; N from 1, NS from 1 to 1000000000, interrupts only after "
    "instructions";

// The entries in the order of the text, those of one processor in the order of their positions.
// Throws UserError, whose text names the entry and what fits, if the text is not valid or names a
// processor from `processors` on.
std::vector<ScheduleText> parse_schedule(std::string_view text, unsigned processors);
// The entries of each of the processors, in order.
std::vector<std::vector<ScheduleEntry>> by_processor(const std::vector<ScheduleText>& entries,
                                                     unsigned processors);

}  // namespace symsim
