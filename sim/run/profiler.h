// SPDX-License-Identifier: MIT
// The sampling profiler. In fixed intervals it samples each processor's activity and its stack of
// functions. profile.folded has one line for each distinct stack: "activity;outermost;...;innermost
// count". flamegraph.pl, inferno and speedscope read this format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "sim/base/time.h"
#include "sim/image/image.h"
#include "sim/machine/systemc/machine.h"
#include "sim/observe/output_file.h"

namespace symsim {

class Profiler {
  public:
    // Constructed before the machine runs.
    Profiler(Machine& machine, const Image& image, Time period);
    Profiler(const Profiler&) = delete;
    Profiler& operator=(const Profiler&) = delete;

    // Writes profile.folded. Throws OutputError.
    std::optional<WrittenFile> write(const std::filesystem::path& path) const;

  private:
    void sample(ProcessorId processor);
    std::string function_at(Address linear) const;

    Machine& machine_;
    const Image& image_;
    std::map<std::string, std::uint64_t> samples_;
};

}  // namespace symsim
