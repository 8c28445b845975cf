// SPDX-License-Identifier: MIT
// A sample of every processor each so many microseconds: what it does, in which function, called
// by which. profile.folded has a line a stack, "activity;outermost;...;innermost count", as
// flamegraph.pl, inferno and speedscope read it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "sim/base/time.h"
#include "sim/image/image.h"
#include "sim/machine/systemc/machine.h"

namespace symsim {

class Profiler {
  public:
    // From the first multiple of `period` behind `begin` on. Before the machine runs.
    Profiler(Machine& machine, const Image& image, Time period, Time begin);
    Profiler(const Profiler&) = delete;
    Profiler& operator=(const Profiler&) = delete;

    // Throws OutputError.
    void write(const std::filesystem::path& path) const;

  private:
    void sample(ProcessorId processor);
    std::string function_at(Address linear) const;

    Machine& machine_;
    const Image& image_;
    std::map<std::string, std::uint64_t> samples_;
};

}  // namespace symsim
