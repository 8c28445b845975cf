// SPDX-License-Identifier: MIT
// The line a long run shows on a terminal while it goes on.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "sim/base/time.h"

namespace symsim {

struct Progress {
    double host_s = 0;  // since the start of the run
    Time simulated = 0;
    std::uint64_t instructions = 0;  // of all processors
    Time limit = 0;                  // run.limit_ms; 0 is none
    double window_s = 0;             // what follows is of the last so many host seconds
    Time window_simulated = 0;
    std::uint64_t window_instructions = 0;
};

// Without newline; under 80 columns.
std::string progress_line(const Progress& progress);

// Shows a line from two host seconds on, at most twice a second, and takes it away in the end.
class ProgressMeter {
  public:
    ProgressMeter(std::FILE* out, bool is_terminal, Time limit);
    ~ProgressMeter() { clear(); }
    ProgressMeter(const ProgressMeter&) = delete;
    ProgressMeter& operator=(const ProgressMeter&) = delete;

    void update(double host_s, Time simulated, std::uint64_t instructions);
    // Before anything else is printed.
    void clear();

  private:
    std::FILE* out_;
    bool is_terminal_;
    bool shown_ = false;
    Progress last_;
};

}  // namespace symsim
