// SPDX-License-Identifier: MIT
// Writes host.json: what the run cost on the host. These numbers are in a file of their own because
// they differ between hosts and runs. They come from HostClock.
#pragma once

#include <filesystem>
#include <string>

#include "sim/observe/column.h"
#include "sim/observe/output_file.h"
#include "sim/observe/report.h"

namespace symsim {

// Millions of simulated instructions per second of host processor time.
double mips(const RunReport& report);
// Seconds of host processor time per simulated second.
double slowdown(const RunReport& report);

Columns host_json_keys();
std::string host_json(const RunReport& report);
std::optional<WrittenFile> write_host_json(const RunReport& report,
                                           const std::filesystem::path& path);

}  // namespace symsim
