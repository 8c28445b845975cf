// SPDX-License-Identifier: MIT
// Describes where a guest crashed, so that its author can find the mistake: registers, backtrace
// and last taken branches of the processor that crashed.
#pragma once

#include <string>
#include <vector>

#include "sim/cache/controller.h"
#include "sim/cpu/core/processor.h"
#include "sim/image/image.h"
#include "sim/image/source_lines.h"
#include "sim/observe/report.h"

namespace symsim {

// A place in the code as it is shown, its linear address, and the one whose function and line it
// has: of a return address, one within the call instruction before it.
struct CodePlace {
    Offset shown;
    Address linear, looked_up;
};
// "0x00101234 function+0x12 (guest/workloads/counter.c:34)"; parts that are not known are left out.
std::string place_text(const CodePlace& place, const Image& image, const SourceLines& lines);

class CrashSite {
  public:
    CrashSite(const Processor& processor, const CacheController& cache, const Image& image)
        : processor_(processor), cache_(cache), image_(image), lines_(image.file) {}

    // Linear address of an offset in the code segment.
    LinearAddress linear(Offset eip) const;
    std::string line(Offset eip) const { return lines_.at(linear(eip)); }

    // Several lines: general registers, segment registers with their hidden descriptor parts, and
    // system registers.
    std::string registers() const;
    // Innermost call first. Each call is shown by its return address, with the source line of the
    // call.
    std::vector<std::string> backtrace() const;
    // The last taken branches, oldest first. Both ends are shown as offsets in the current code
    // segment, even if a branch came from another segment.
    std::vector<BranchReport> branches() const;

  private:
    std::string place(Offset eip, Address looked_up) const;

    const Processor& processor_;
    const CacheController& cache_;
    const Image& image_;
    SourceLines lines_;
};

}  // namespace symsim
