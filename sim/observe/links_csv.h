// SPDX-License-Identifier: MIT
// Writes links.csv: one row for each link between nodes and interval in which messages used it or
// waited for it. The numbers are DistanceMeter's.
#pragma once

#include <filesystem>

#include "sim/observe/column.h"
#include "sim/observe/output_file.h"
#include "sim/observe/report.h"

namespace symsim {

Columns links_csv_columns();
// `report` is of a machine of several nodes.
std::optional<WrittenFile> write_links_csv(const RunReport& report,
                                           const std::filesystem::path& path);

}  // namespace symsim
