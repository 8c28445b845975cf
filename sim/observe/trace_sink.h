// SPDX-License-Identifier: MIT
// The interface of a trace: one file that shows the course of a run, and the chunks of events that
// it gets. trace_kinds.h lists the traces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/named_range.h"
#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/interconnect_config.h"
#include "sim/interconnect/named_resource.h"
#include "sim/observe/bus_meter.h"
#include "sim/observe/observe_config.h"
#include "sim/observe/output_file.h"

namespace symsim {

// An event of one processor. Of events with the same time, states come last, since the order in
// which states and other events are reported depends on the engine.
struct TraceEvent {
    enum class What : std::uint8_t { activity, probe, interrupt, state };
    Time time = 0;
    std::uint32_t value = 0;  // a probe's operand, or the number of an interrupt's message
    Address address = 0;      // of the instruction that passed an activity or probe mark
    What what = What::state;
    std::uint8_t code = 0;   // the Activity, ProbeKind, vector or ProcessorState
    bool in_kernel = false;  // a probe point in kernel code
};

inline bool is_mark(const TraceEvent& event) {
    return event.what == TraceEvent::What::activity || event.what == TraceEvent::What::probe;
}
// The mark that the event was made of. The activity of a probe point is kernel, or user for any
// other.
inline Mark mark_of(const TraceEvent& event) {
    Mark mark;
    mark.time = event.time;
    mark.value = event.value;
    if (event.what == TraceEvent::What::activity) {
        mark.activity = static_cast<Activity>(event.code);
    } else {
        mark.what = Mark::What::probe;
        mark.probe = static_cast<ProbeKind>(event.code);
        mark.activity = event.in_kernel ? Activity::kernel : Activity::user;
    }
    return mark;
}

// All events from `from` on, before `to`. Their order does not depend on the engine: each processor
// has a list of its own, and every list is in order of time.
struct TraceChunk {
    Time from = 0;
    Time to = 0;
    std::vector<std::vector<TraceEvent>> processors;  // by processor
    std::vector<BusUse> uses;
    std::vector<InterruptMessage> messages;

    std::size_t events() const {
        std::size_t sum = uses.size() + messages.size();
        for (const auto& events : processors) sum += events.size();
        return sum;
    }
};

// A trace. TraceFeed calls begin() once, when the window is known, and take() for every chunk of
// the run, in order. The trace shows what is within the window. It also gets the chunks before the
// window, since it must know the states and activities at the beginning of the window.
class ChunkSink {
  public:
    virtual ~ChunkSink() = default;
    // The trace shows what lies in the window. Chunks from before the window tell it what continues
    // when the window begins.
    virtual void begin(const Window& window) = 0;
    virtual void take(const TraceChunk& chunk) = 0;
    // Whether something could not be written.
    virtual bool failed() const = 0;
};

// The end of a run, with the bus's use in each interval of bus.csv: in order of time, those of one
// time in order of resource.
struct RunEnd {
    Time time = 0;
    std::vector<BusInterval> intervals = {};
    Time interval = 0;
};

// What is known of a run before it begins.
struct RunFacts {
    unsigned processors = 1;
    unsigned resources = 1;                // of the interconnect
    ResourceTable table = {};              // what they are, on a machine of nodes
    Topology topology = {1, 1};            // of that
    bool processes = false;                // the guest reports its processes
    bool calls = false;                    // ... and its calls between address spaces
    std::vector<std::string> spaces = {};  // names of its address spaces, if there are several
    std::vector<std::string> system_calls = {};  // names by number; of a Linux program only
    std::vector<std::string> events = {};        // names of its static probes, by number
    std::string program = {};                    // its name as Linux has it, of all its threads
    Time clock = 1;                              // of the processors: its period

    bool is_linux() const { return !system_calls.empty(); }
};

struct TraceConfig {
    std::filesystem::path path = {};
    std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max();
    RunFacts run = {};
    std::function<std::string(Address)> name_of = {};  // of a lock; empty if it has none
    std::vector<NamedRange> symbols = {};              // disjoint, in order of address
};

// Order of the calls: begin(), take() for every chunk of the run in order of time, close(),
// commit(). None but commit() throws: a failed write is kept until then.
class TraceSink : public ChunkSink {
  public:
    explicit TraceSink(const TraceConfig& config) : file_(config.path) {}

    void begin(const Window& window) override { window_ = window; }

    // A trace that shows uses of the bus and nothing else can take each as it comes, without
    // chunks.
    virtual bool takes_single_uses() const { return false; }
    virtual void used(const BusUse&) {}

    // Whatever continues at the end of the run is cut off there.
    virtual void close(const RunEnd& end) = 0;
    // Puts the file in its place. Throws OutputError if anything could not be written.
    std::optional<WrittenFile> commit() { return file_.commit(); }

    bool failed() const override { return file_.failed(); }
    const std::filesystem::path& path() const { return file_.path(); }
    // When the size limit was reached; nothing later is in the trace.
    std::optional<Time> stopped_at() const { return stopped_at_; }

  protected:
    OutputFile file_;
    Window window_{kNever, kNever};  // until begin(): nothing is in it
    std::optional<Time> stopped_at_;
};

using TraceSinks = std::vector<std::unique_ptr<TraceSink>>;

}  // namespace symsim
