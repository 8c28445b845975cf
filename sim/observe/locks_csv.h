// SPDX-License-Identifier: MIT
// locks.csv: a row per lock and processor that touched it.
#pragma once

#include <filesystem>

#include "sim/observe/column.h"
#include "sim/observe/report.h"

namespace symsim {

Columns locks_csv_columns();
void write_locks_csv(const RunReport& report, const std::filesystem::path& path);

}  // namespace symsim
