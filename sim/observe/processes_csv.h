// SPDX-License-Identifier: MIT
// Writes processes.csv: one row for each process of the guest, if it reports any. The numbers are
// ProcessMeter's.
#pragma once

#include <filesystem>

#include "sim/observe/column.h"
#include "sim/observe/output_file.h"
#include "sim/observe/report.h"

namespace symsim {

Columns processes_csv_columns();
std::optional<WrittenFile> write_processes_csv(const RunReport& report,
                                               const std::filesystem::path& path);

}  // namespace symsim
