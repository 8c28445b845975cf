// SPDX-License-Identifier: MIT
// The counters of trace.pftrace. PerfettoSpinners shows how many processors spin, at each change.
// write_bus_counters() shows each activity's share of the bus and the mean queue length, for each
// resource. These are the numbers of bus.csv, means over its intervals. No interval is complete
// before the run ends, so they are written then.
#pragma once

#include <utility>
#include <vector>

#include "sim/observe/bus_meter.h"
#include "sim/observe/perfetto_view.h"
#include "sim/observe/trace_chunk.h"

namespace symsim {

// PerfettoWriter calls take() for each chunk.
class PerfettoSpinners {
  public:
    PerfettoSpinners(PerfettoView& view, unsigned processors);
    void take(const TraceChunk& chunk);

  private:
    // Writes the current count.
    void show(Time at);

    PerfettoView& view_;
    perfetto::Track track_;
    std::vector<bool> spins_;  // by processor: its activity is spin
    unsigned count_ = 0;
    bool begun_ = false;                       // the first value in the window is written
    std::vector<std::pair<Time, int>> steps_;  // of the chunk: time, and change of the count
};

// Writes the counters for the intervals that overlap the window, below the track of each resource.
// Stops before the file exceeds `max_bytes`. Returns the end of the last interval written.
Time write_bus_counters(PerfettoView& view, const std::vector<perfetto::Track>& resources,
                        const std::vector<BusInterval>& intervals, Time interval, Time end,
                        std::size_t max_bytes);

}  // namespace symsim
