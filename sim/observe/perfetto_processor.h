// SPDX-License-Identifier: MIT
// The tracks of one processor in trace.pftrace: its activities, its waits for the bus, its threads,
// the interrupts it sends and takes, and its message probes; and how many processors spin.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/activity.h"
#include "sim/base/processor_state.h"
#include "sim/observe/perfetto_file.h"
#include "sim/observe/trace_sink.h"

namespace symsim {

// PerfettoWriter calls take(), sent() and message() for the events of each chunk, then close()
// once.
class PerfettoProcessor {
  public:
    PerfettoProcessor(PerfettoView& view, ProcessorId id);

    void take(const TraceEvent& event);
    // Shows the current state, activity and thread up to `at`.
    void close(Time at);

    void sent(const InterruptMessage& message);
    // Shows a message probe. `flow` begins or ends there; 0: no flow.
    void message(const TraceEvent& event, std::uint64_t flow, bool begins);

    // Flow numbers of an interrupt message. flow_from_sender() leads from the sender's command to
    // the message on the SLIC bus, flow_to() from there to a processor that takes the interrupt.
    static std::uint64_t flow_to(std::uint32_t message, ProcessorId receiver) {
        return std::uint64_t{message} << 7 | (1 + receiver);
    }
    static std::uint64_t flow_from_sender(std::uint32_t message) {
        return std::uint64_t{message} << 7;
    }

  private:
    void end_state(Time at);
    void end_activity(Time at);
    void end_thread(Time at, const char* how);
    void probe(const TraceEvent& event);
    void interrupt(const TraceEvent& event);
    // The track; created as a child of activities_ at its first use.
    perfetto::Track child(std::optional<perfetto::Track>& track, const char* name, unsigned rank);

    PerfettoView& view_;
    ProcessorId id_;
    perfetto::Track activities_;
    perfetto::Track states_;
    std::optional<perfetto::Track> threads_, interrupts_, messages_;

    Activity activity_ = Activity::boot;
    ProcessorState state_ = ProcessorState::executing;
    Time activity_since_ = 0;
    Time state_since_ = 0;
    std::optional<std::uint32_t> thread_;
    Time thread_since_ = 0;
};

// A counter: how many processors spin, at each change. PerfettoWriter calls take() for each chunk.
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

}  // namespace symsim
