// SPDX-License-Identifier: MIT
// The tracks of the guest's address spaces in trace.pftrace: a process for each space, with a
// thread for each processor that has been in it. A slice is a part of a call (call_parts.h); if the
// processor does something else, the slice is named after its activity. The kernel's time counts
// for the space that the processor leaves, until it is in the next one.
//
// Flows lead from the slice that sends a message to the one that receives it, and from a
// processor's last slice in a space to its first one in the next.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/observe/by_time.h"
#include "sim/observe/call_meter.h"
#include "sim/observe/perfetto_file.h"
#include "sim/observe/trace_sink.h"

namespace symsim {

// PerfettoWriter calls take() for each chunk, then close() once.
class PerfettoSpaces {
  public:
    // `names`: of the spaces, by number.
    PerfettoSpaces(PerfettoView& view, unsigned processors, const std::vector<std::string>& names);

    void take(const ByTime<TraceEvent>& events);
    // An upper bound for what take() would add to the file.
    static std::size_t most_bytes(const TraceChunk& chunk);
    void close(Time at);

  private:
    // What the next slice of a processor begins with.
    struct Comes {
        std::vector<std::uint64_t> flows = {};        // that end at it
        std::optional<Address> message = {};          // that it receives
        std::optional<std::string_view> reason = {};  // of the upcall
    };
    // What a slice ends with: a message is sent, or the processor leaves the space.
    struct Leaves {
        std::optional<std::uint64_t> flow = {};
        std::optional<Address> message = {};
    };
    struct Slice {
        std::uint32_t space;
        std::string_view name;
        Time from, to;
        Comes comes;
        Leaves leaves;
        bool goes_on(std::uint32_t in, std::string_view as, const Comes& next) const;
    };
    struct Place {
        std::optional<std::uint32_t> space = {};
        Activity activity = Activity::boot;
        CallParts parts = {};
        Time shown = 0;                   // up to where there are slices
        std::optional<Slice> slice = {};  // the last one, which may go on
        Comes next = {};
    };
    struct Space {
        std::string name;
        perfetto::Track track = 0;  // 0: there is none yet
        std::map<ProcessorId, perfetto::Track> processors = {};
    };
    // A message that only the sender or only the receiver has reported.
    struct Message {
        std::uint64_t flow = 0;
        std::optional<Time> received = {};
    };

    void pass(ProcessorId processor, const Mark& mark);
    void end_part(ProcessorId processor, const CallSpan& ended, const Mark& mark);
    // Shows what the processor has done up to the end of the span.
    void show(ProcessorId processor, const CallSpan& span, const Leaves& leaves);
    // Writes the last slice of the processor.
    void write(ProcessorId processor);
    perfetto::Track track_of(ProcessorId processor, std::uint32_t space);
    // `from`: when the sender began to send it.
    std::uint64_t flow_of_sent(Address message, Time from);
    std::uint64_t flow_of_received(Address message, Time at);
    void keep(Address address, const Message& message);
    std::uint64_t new_flow();

    PerfettoView& view_;
    std::vector<Place> places_;  // by processor
    std::vector<Space> spaces_;  // by number
    std::map<Address, Message> messages_;
    std::uint64_t flows_ = 0;
};

}  // namespace symsim
