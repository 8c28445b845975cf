// SPDX-License-Identifier: MIT
// Writes calls.csv: one row for each part of a call between address spaces, if the guest makes any.
// The numbers are CallMeter's.
#pragma once

#include <filesystem>

#include "sim/observe/column.h"
#include "sim/observe/output_file.h"
#include "sim/observe/report.h"

namespace symsim {

Columns calls_csv_columns();
std::optional<WrittenFile> write_calls_csv(const RunReport& report,
                                           const std::filesystem::path& path);

}  // namespace symsim
