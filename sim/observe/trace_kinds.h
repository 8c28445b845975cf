// SPDX-License-Identifier: MIT
// The traces that a run can write, a line each in trace_kinds.cpp. A new one is a class that
// implements TraceSink, its line, and the config key that asks for it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/observe/run_files.h"
#include "sim/observe/trace_sink.h"

namespace symsim {

struct TraceKind {
    std::string key;  // in summary.json
    std::string
        option;  // the config key that asks for it; OPTION_limit_mb, if there is one: its size
    RunFile file;
    // Opens the file. Throws OutputError.
    std::function<std::unique_ptr<TraceSink>(const TraceConfig&)> open;
};
const std::vector<TraceKind>& trace_kinds();

}  // namespace symsim
