// SPDX-License-Identifier: MIT
// The run as a trace for ui.perfetto.dev: processors, threads, locks, the bus and its transactions,
// interrupts and messages. Packets are in no order of time, which Perfetto does not ask for: a
// slice is written when it ends, with its beginning.
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
#include "sim/observe/perfetto_processor.h"
#include "sim/observe/perfetto_view.h"
#include "sim/observe/trace_sink.h"

namespace symsim {

struct PerfettoConfig {
    std::filesystem::path path;
    std::size_t max_bytes;  // observe.perfetto_limit_mb
    unsigned processors;
    std::function<std::string(Address)> name_of;  // of a lock
    std::vector<NamedRange> symbols;              // disjoint, in order of address
};

class PerfettoWriter final : public TraceSink {
  public:
    explicit PerfettoWriter(const PerfettoConfig& config);

    std::string_view key() const override { return "perfetto"; }
    void begin(const Window& window) override { view_.window = window; }
    void take(const TraceChunk& chunk) override;
    // The run ended; the intervals are bus.csv's.
    void close(const RunEnd& end) override;
    // Throws OutputError if anything could not be written.
    void commit() override { view_.file.commit(); }

    bool failed() const override { return view_.file.failed(); }
    const std::filesystem::path& path() const override { return view_.file.path(); }
    // When the size limit was reached; nothing later is in the trace.
    std::optional<Time> stopped_at() const override { return stopped_at_; }

  private:
    void messages(const TraceChunk& chunk);
    void end_all(Time at);

    std::size_t max_bytes_;
    PerfettoView view_;
    std::vector<PerfettoProcessor> processors_;
    PerfettoBus bus_;
    PerfettoSpinners spinners_;
    PerfettoLocks locks_;
    std::optional<Time> stopped_at_;
    std::map<std::uint32_t, std::uint64_t> open_flows_;  // by operand of a message probe
    std::uint64_t flows_ = 0;
};

}  // namespace symsim
