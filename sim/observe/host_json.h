// SPDX-License-Identifier: MIT
// host.json: what the run cost on the host. These numbers are in a file of their own because they
// differ between hosts and runs. They come from HostClock.
#pragma once

#include "sim/observe/report.h"
#include "sim/observe/run_files.h"

namespace symsim {

// Millions of simulated instructions per second of host processor time.
double mips(const RunReport& report);
// Seconds of host processor time per simulated second.
double slowdown(const RunReport& report);

RunFile host_json();

}  // namespace symsim
