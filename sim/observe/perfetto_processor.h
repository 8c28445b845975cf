// SPDX-License-Identifier: MIT
// The tracks of one processor: what it works on, when the bus makes it wait, which thread it runs,
// the interrupts it sends and takes.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/observe/perfetto_view.h"
#include "sim/observe/trace_chunk.h"
#include "sim/processor/activity.h"
#include "sim/processor/processor_state.h"

namespace symsim {

class PerfettoProcessor {
  public:
    PerfettoProcessor(PerfettoView& view, ProcessorId id);

    void take(const TraceEvent& event);
    // All that goes on is shown up to `at`.
    void close(Time at);

    void sent(const InterruptMessage& message);
    // A message probe, with the flow that begins or ends there; 0: none.
    void message(const TraceEvent& event, std::uint64_t flow, bool begins);

    // The flow from a message's way over the SLIC bus to a processor that takes it, and to the way
    // from the sender's command.
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

}  // namespace symsim
