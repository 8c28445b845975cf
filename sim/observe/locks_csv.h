// SPDX-License-Identifier: MIT
// Writes locks.csv: one row for each lock and each processor that passed a probe point of the lock.
// The numbers are LockMeter's.
#pragma once

#include <filesystem>

#include "sim/observe/column.h"
#include "sim/observe/output_file.h"
#include "sim/observe/report.h"

namespace symsim {

// `processes`: the run had processes, which adds a column. `nodes`: the machine has several, which
// adds columns.
Columns locks_csv_columns(bool processes, bool nodes);
std::optional<WrittenFile> write_locks_csv(const RunReport& report,
                                           const std::filesystem::path& path);

}  // namespace symsim
