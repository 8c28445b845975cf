// SPDX-License-Identifier: MIT
// Writes spaces.csv: one row for each address space, if the guest has several. The numbers are
// SpaceMeter's.
#pragma once

#include <filesystem>

#include "sim/observe/column.h"
#include "sim/observe/output_file.h"
#include "sim/observe/report.h"

namespace symsim {

Columns spaces_csv_columns();
std::optional<WrittenFile> write_spaces_csv(const RunReport& report,
                                            const std::filesystem::path& path);

}  // namespace symsim
