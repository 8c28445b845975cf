// SPDX-License-Identifier: MIT
// summary.json: all numbers of a run. The file is the same byte for byte on every host and engine.
#pragma once

#include <string>

#include "sim/observe/report.h"
#include "sim/observe/table.h"

namespace symsim {

const Table<RunReport>& summary_table();
// An object: each text as a number or truth value if it is one, else as a string.
Json values_of(const std::vector<std::pair<std::string, std::string>>& texts);
std::string summary_json(const RunReport& report);
// The room on the disk that the file needs, unless the guest has more than some hundred locks,
// regions and results together.
std::size_t summary_room(unsigned processors);

}  // namespace symsim
