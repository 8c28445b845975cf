// SPDX-License-Identifier: MIT
// Writes trace.pftrace, a trace for ui.perfetto.dev: processors, threads, processes, address
// spaces, locks, bus transactions, interrupts and messages. The packets are not in order of time,
// and Perfetto does not require it: the begin of a slice is written together with its end.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "sim/observe/bus_meter.h"
#include "sim/observe/perfetto_file.h"
#include "sim/observe/perfetto_tracks.h"
#include "sim/observe/trace_sink.h"

namespace symsim {

class PerfettoWriter final : public TraceSink {
  public:
    explicit PerfettoWriter(const TraceConfig& config);

    void take(const TraceChunk& chunk) override;
    void close(const RunEnd& end) override;

  private:
    // Shows message probes and the flows between them.
    void messages(const TraceChunk& chunk);
    void end_all(Time at);

    std::size_t max_bytes_;
    PerfettoView view_;
    std::vector<PerfettoProcessor> processors_;
    PerfettoBus bus_;
    PerfettoSpinners spinners_;
    PerfettoLocks locks_;
    const bool processes_;  // the guest reports processes
    std::optional<PerfettoProcesses> process_tracks_;
    std::optional<PerfettoThreads> threads_;
    std::optional<PerfettoSpaces> spaces_;
    std::map<std::uint32_t, std::uint64_t> open_flows_;  // flow number by operand of the probe
    std::uint64_t flows_ = 0;
};

}  // namespace symsim
