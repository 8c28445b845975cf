// SPDX-License-Identifier: MIT
// Writes pages.csv: one row for each page of memory of which a processor missed a line. The numbers
// are MissMeter's.
#pragma once

#include <filesystem>

#include "sim/observe/column.h"
#include "sim/observe/output_file.h"
#include "sim/observe/report.h"

namespace symsim {

// The name of the last one contains NODE, which stands for a column for each node.
Columns pages_csv_columns();
// `report` is of a machine of several nodes.
std::optional<WrittenFile> write_pages_csv(const RunReport& report,
                                           const std::filesystem::path& path);

}  // namespace symsim
