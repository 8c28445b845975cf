// SPDX-License-Identifier: MIT
// The interface of a trace: one file that shows the course of a run. trace_kinds.h lists them.
//
// Order of the calls: begin(), take() for every chunk of the run in order of time, close(),
// commit(). None but commit() throws: a failed write is kept until then.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/named_range.h"
#include "sim/base/time.h"
#include "sim/interconnect/named_resource.h"
#include "sim/observe/bus_meter.h"
#include "sim/observe/output_file.h"
#include "sim/observe/trace_chunk.h"

namespace symsim {

// The end of a run, with the bus's use in each interval of bus.csv: in order of time, those of one
// time in order of resource.
struct RunEnd {
    Time time = 0;
    std::vector<BusInterval> intervals = {};
    Time interval = 0;
};

// What a trace knows of the run before it begins.
struct TraceConfig {
    std::filesystem::path path;
    std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max();
    unsigned processors = 1;
    unsigned resources = 1;                            // of the interconnect
    ResourceTable table = {};                          // what they are, on a machine of nodes
    std::function<std::string(Address)> name_of = {};  // of a lock; empty if it has none
    std::vector<NamedRange> symbols = {};              // disjoint, in order of address
    bool processes = false;                            // the guest reports its processes
    std::vector<std::string> spaces = {};              // names of its address spaces, if several
};

class TraceSink : public ChunkSink {
  public:
    virtual const std::filesystem::path& path() const = 0;

    // A trace that shows uses of the bus and nothing else can take each as it comes, without
    // chunks.
    virtual bool takes_single_uses() const { return false; }
    virtual void used(const BusUse&) {}

    // Whatever continues at the end of the run is cut off there.
    virtual void close(const RunEnd& end) = 0;
    // Puts the file in its place. Throws OutputError if anything could not be written.
    virtual std::optional<WrittenFile> commit() = 0;

    // When the size limit was reached; nothing later is in the trace.
    virtual std::optional<Time> stopped_at() const = 0;
};

using TraceSinks = std::vector<std::unique_ptr<TraceSink>>;

}  // namespace symsim
