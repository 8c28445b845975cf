// SPDX-License-Identifier: MIT
// Writes summary.json: all numbers of a run. The file is the same byte for byte on every host and
// engine.
#pragma once

#include <filesystem>
#include <string>

#include "sim/observe/column.h"
#include "sim/observe/report.h"

namespace symsim {

Columns summary_json_keys();
std::string summary_json(const RunReport& report);
void write_summary_json(const RunReport& report, const std::filesystem::path& path);

}  // namespace symsim
