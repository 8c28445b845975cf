// SPDX-License-Identifier: MIT
// What the simulator itself uses of the host, from its construction on.
#pragma once

#include <chrono>

#include "sim/observe/report.h"

namespace symsim {

class HostClock {
  public:
    HostClock();
    double wall_s() const;
    double cpu_s() const;
    // Everything but `build`, which the program knows.
    HostReport report() const;

  private:
    std::chrono::steady_clock::time_point wall_start_;
    double cpu_start_s_;
};

}  // namespace symsim
