// SPDX-License-Identifier: MIT
// Writes bus.csv: one row per interval, and resource if there are several. A row has the bus
// utilisation, what the bus was used for, and how long requests waited. The numbers are BusMeter's.
#pragma once

#include <filesystem>

#include "sim/observe/column.h"
#include "sim/observe/output_file.h"
#include "sim/observe/report.h"

namespace symsim {

Columns bus_csv_columns(bool several_resources);
std::optional<WrittenFile> write_bus_csv(const RunReport& report,
                                         const std::filesystem::path& path);

}  // namespace symsim
