// SPDX-License-Identifier: MIT
// Writes misses.csv: one row for each processor, activity and supplier of lines with a miss. The
// numbers are MissMeter's.
#pragma once

#include <filesystem>

#include "sim/observe/column.h"
#include "sim/observe/output_file.h"
#include "sim/observe/report.h"

namespace symsim {

Columns misses_csv_columns();
// `report` is of a machine of several nodes.
std::optional<WrittenFile> write_misses_csv(const RunReport& report,
                                            const std::filesystem::path& path);

}  // namespace symsim
