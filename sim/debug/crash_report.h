// SPDX-License-Identifier: MIT
// What a user needs to find the guest's mistake: registers, and how it came there.
#pragma once

#include <string>
#include <vector>

#include "sim/cache/controller.h"
#include "sim/cpu/core/processor.h"
#include "sim/image/image.h"
#include "sim/image/source_lines.h"
#include "sim/observe/report.h"

namespace symsim {

class CrashSite {
  public:
    CrashSite(const Processor& processor, const CacheController& cache, const Image& image)
        : processor_(processor), cache_(cache), image_(image), lines_(image.file) {}

    // Of an offset in the code segment.
    LinearAddress linear(Offset eip) const;
    std::string line(Offset eip) const { return lines_.at(linear(eip)); }

    // General registers; segment registers with what they keep of their descriptors; system
    // registers. Several lines.
    std::string registers() const;
    // Innermost first. A return address is shown as such, with the line of its call.
    std::vector<std::string> backtrace() const;
    // Oldest first. A branch into another segment is shown by offsets as if it were of this one.
    std::vector<BranchReport> branches() const;

  private:
    std::string place(Offset eip, Address looked_up) const;

    const Processor& processor_;
    const CacheController& cache_;
    const Image& image_;
    SourceLines lines_;
};

}  // namespace symsim
