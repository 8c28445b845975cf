// SPDX-License-Identifier: MIT
// Writes trace.pftrace, a trace for ui.perfetto.dev: processors, threads, processes, address
// spaces, locks, bus transactions, interrupts and messages. The packets are not in order of time,
// and Perfetto does not require it: the begin of a slice is written together with its end.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/observe/bus_meter.h"
#include "sim/observe/perfetto_bus.h"
#include "sim/observe/perfetto_counters.h"
#include "sim/observe/perfetto_locks.h"
#include "sim/observe/perfetto_processes.h"
#include "sim/observe/perfetto_processor.h"
#include "sim/observe/perfetto_spaces.h"
#include "sim/observe/perfetto_view.h"
#include "sim/observe/trace_sink.h"

namespace symsim {

// TraceFeed calls begin() and take(). The Recorder then calls close() and commit(), once each.
class PerfettoWriter final : public TraceSink {
  public:
    explicit PerfettoWriter(const TraceConfig& config);

    void begin(const Window& window) override { view_.window = window; }
    void take(const TraceChunk& chunk) override;
    void close(const RunEnd& end) override;
    // Throws OutputError if anything could not be written.
    std::optional<WrittenFile> commit() override { return view_.file.commit(); }

    bool failed() const override { return view_.file.failed(); }
    const std::filesystem::path& path() const override { return view_.file.path(); }
    // When the trace reached its size limit; it shows nothing later.
    std::optional<Time> stopped_at() const override { return stopped_at_; }

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
    std::optional<PerfettoSpaces> spaces_;
    std::optional<Time> stopped_at_;
    std::map<std::uint32_t, std::uint64_t> open_flows_;  // flow number by operand of the probe
    std::uint64_t flows_ = 0;
};

}  // namespace symsim
