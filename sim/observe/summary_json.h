// SPDX-License-Identifier: MIT
// Writes summary.json: all numbers of a run. The file is the same byte for byte on every host and
// engine.
#pragma once

#include <filesystem>
#include <string>

#include "sim/observe/column.h"
#include "sim/observe/output_file.h"
#include "sim/observe/report.h"

namespace symsim {

Columns summary_json_keys();
std::string summary_json(const RunReport& report);
// The room on the disk that the file needs, unless the guest has more than some hundred locks,
// regions and results together.
std::size_t summary_room(unsigned processors);
std::optional<WrittenFile> write_summary_json(const RunReport& report,
                                              const std::filesystem::path& path);

}  // namespace symsim
