// SPDX-License-Identifier: MIT
// The progress line that a long run shows on a terminal.
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
    Time limit = 0;                  // run.limit_ms as a Time; 0: no limit
    double window_s = 0;             // host seconds that the next two cover, the last before now
    Time window_simulated = 0;
    std::uint64_t window_instructions = 0;
};

// The line without a newline; less than 80 columns.
std::string progress_line(const Progress& progress);

// Shows the line after two host seconds, updates it at most twice a second, and erases it at the
// end. The run calls update() repeatedly. It shows nothing if `out` is not a terminal.
class ProgressMeter {
  public:
    ProgressMeter(std::FILE* out, bool is_terminal, Time limit);
    ~ProgressMeter() { clear(); }
    ProgressMeter(const ProgressMeter&) = delete;
    ProgressMeter& operator=(const ProgressMeter&) = delete;

    void update(double host_s, Time simulated, std::uint64_t instructions);
    // Erases the line. Call it before printing anything else.
    void clear();

  private:
    std::FILE* out_;
    bool is_terminal_;
    bool shown_ = false;
    Progress last_;
};

}  // namespace symsim
