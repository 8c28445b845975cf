// SPDX-License-Identifier: MIT
// bus.csv: a row per interval, how busy the bus was, with what, and how long requests queued.
#pragma once

#include <filesystem>

#include "sim/observe/column.h"
#include "sim/observe/report.h"

namespace symsim {

Columns bus_csv_columns();
void write_bus_csv(const RunReport& report, const std::filesystem::path& path);

}  // namespace symsim
