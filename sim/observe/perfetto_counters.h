// SPDX-License-Identifier: MIT
// The counters of the Perfetto trace. How many processors spin is counted at each change. What
// share of the bus each activity has, and how many requests wait, are means over the intervals of
// bus.csv, and its numbers: no interval is final before the run ends, so they are written then.
#pragma once

#include <utility>
#include <vector>

#include "sim/observe/bus_meter.h"
#include "sim/observe/perfetto_view.h"
#include "sim/observe/trace_chunk.h"

namespace symsim {

class PerfettoSpinners {
  public:
    PerfettoSpinners(PerfettoView& view, unsigned processors);
    void take(const TraceChunk& chunk);

  private:
    void show(Time at);

    PerfettoView& view_;
    perfetto::Track track_;
    std::vector<bool> spins_;  // by processor
    unsigned count_ = 0;
    bool begun_ = false;                       // the window
    std::vector<std::pair<Time, int>> steps_;  // of the chunk: how many more at a time
};

// Of the intervals that the window meets. Returns the end of the last one written: there is room
// for `max_bytes` in the file.
Time write_bus_counters(PerfettoView& view, perfetto::Track parent,
                        const std::vector<BusInterval>& intervals, Time interval, Time end,
                        std::size_t max_bytes);

}  // namespace symsim
