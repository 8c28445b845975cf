// SPDX-License-Identifier: MIT
// The sampling profiler. In fixed intervals it samples each processor's activity and its stack of
// functions. profile.folded has one line for each distinct stack: "activity;outermost;...;innermost
// count". flamegraph.pl, inferno and speedscope read this format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/base/time.h"
#include "sim/image/image.h"
#include "sim/machine/systemc/machine.h"
#include "sim/observe/output_file.h"

namespace symsim {

class Profiler {
  public:
    // The return addresses of a processor's calls now, innermost first.
    using CallsOf = std::function<std::vector<Address>(ProcessorId, Time now)>;
    // Constructed before the machine runs.
    Profiler(Machine& machine, const Image& image, Time period, CallsOf calls_of);
    Profiler(const Profiler&) = delete;
    Profiler& operator=(const Profiler&) = delete;

    // Writes profile.folded. Throws OutputError.
    std::optional<WrittenFile> write(const std::filesystem::path& path) const;

  private:
    void sample(ProcessorId processor, Time now);
    std::string function_at(Address linear) const;

    Machine& machine_;
    const Image& image_;
    CallsOf calls_of_;
    std::map<std::string, std::uint64_t> samples_;
};

}  // namespace symsim
