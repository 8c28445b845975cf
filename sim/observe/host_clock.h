// SPDX-License-Identifier: MIT
// Measures the simulator's own use of the host: wall time, processor time and memory. The numbers
// come from std::chrono, std::clock(), getrusage() and /proc/self/status. They are in a file of
// their own, host.json, because they differ between hosts and runs.
#pragma once

#include <chrono>

#include "sim/observe/report.h"
#include "sim/observe/run_files.h"

namespace symsim {

// wall_s() and cpu_s() count from the construction of the object.
class HostClock {
  public:
    HostClock();
    double wall_s() const;
    double cpu_s() const;
    // Fills in all measured fields, the host's name and the compiler. The caller adds the build and
    // the engine.
    HostReport report() const;

  private:
    std::chrono::steady_clock::time_point wall_start_;
    double cpu_start_s_;
};

// Millions of simulated instructions per second of host processor time.
double mips(const RunReport& report);
// Seconds of host processor time per simulated second.
double slowdown(const RunReport& report);

RunFile host_json();

}  // namespace symsim
