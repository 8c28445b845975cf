// SPDX-License-Identifier: MIT
// host.json: what a run cost, kept apart because it depends on the host.
#pragma once

#include <filesystem>
#include <string>

#include "sim/observe/column.h"
#include "sim/observe/report.h"

namespace symsim {

// Millions of simulated instructions per second of host processor time.
double mips(const RunReport& report);
// Seconds of host processor time per simulated second.
double slowdown(const RunReport& report);

Columns host_json_keys();
std::string host_json(const RunReport& report);
void write_host_json(const RunReport& report, const std::filesystem::path& path);

}  // namespace symsim
