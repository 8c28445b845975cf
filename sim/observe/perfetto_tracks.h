// SPDX-License-Identifier: MIT
// The tracks of trace.pftrace: a class for each group of them, each in a file of its own
// (perfetto_processor.cpp and so on). PerfettoWriter tells them what is in a chunk, then calls
// close() once. What is under way is shown up to then.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/activity.h"
#include "sim/base/named_range.h"
#include "sim/base/transaction_kind.h"
#include "sim/interconnect/named_resource.h"
#include "sim/observe/bus_meter.h"
#include "sim/observe/by_time.h"
#include "sim/observe/call_meter.h"
#include "sim/observe/linux_meter.h"
#include "sim/observe/lock_meter.h"
#include "sim/observe/perfetto_file.h"
#include "sim/observe/process_timeline.h"
#include "sim/observe/trace_sink.h"

namespace symsim {

// The tracks of one processor in trace.pftrace: its activities, its waits for the bus, its threads,
// the interrupts it sends and takes, and its message probes; and how many processors spin.
//
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

// Two tracks of trace.pftrace: the System Bus with a slice for each use, and the bus between the
// interrupt controllers with a slice for each message. If the interconnect has several resources,
// the track of the bus has a track for each.
//
// PerfettoWriter calls used() and messaged() for each chunk, then close() once.
class PerfettoBus {
  public:
    // `table`: what the resources are; empty: they have numbers only. `symbols`: the symbols of the
    // image; disjoint, in order of address.
    PerfettoBus(PerfettoView& view, unsigned resources, const ResourceTable& table,
                std::vector<NamedRange> symbols);

    // Uses come in order of time. A use is written when the resource's next one comes or at
    // close(), since the end of the trace may cut it.
    void used(const BusUse& use);
    void messaged(const InterruptMessage& message);
    // Shows the uses under way up to `at`.
    void close(Time at);
    // By resource.
    const std::vector<perfetto::Track>& tracks() const { return tracks_; }

  private:
    void show(const BusUse& use, Time to);
    // The symbol at `address`; 0 if the image has none there.
    perfetto::Name symbol(Address address) {
        if (address < found_.begin || address >= found_.end) find_symbol(address);
        return found_.name;
    }
    void find_symbol(Address address);

    PerfettoView& view_;
    std::vector<NamedRange> symbols_;
    std::vector<perfetto::Name> symbol_names_;  // by range; 0: not interned yet
    // The range that contains the last address: a symbol, or the gap between two symbols. The next
    // address is often in the same range.
    struct Found {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;  // equal to `begin`: nothing has been looked up yet
        perfetto::Name name = 0;
    };
    Found found_;
    std::vector<perfetto::Track> tracks_;  // by resource
    std::optional<perfetto::Track> messages_;
    std::array<std::array<perfetto::Name, 2>, kTransactionKinds> names_{};  // for request and reply
    std::vector<std::optional<BusUse>> last_;                               // by resource
};

// Writes counters: each activity's share of the bus and the mean queue length, below the track of
// each resource, for the intervals that overlap the window. These are the numbers of bus.csv, means
// over its intervals. No interval is complete before the run ends, so they are written then. Stops
// before the file exceeds `max_bytes`. Returns the end of the last interval written.
Time write_bus_counters(PerfettoView& view, const std::vector<perfetto::Track>& resources,
                        const std::vector<BusInterval>& intervals, Time interval, Time end,
                        std::size_t max_bytes);

// The tracks of locks in trace.pftrace: which processor or process holds each lock, and which wait
// for it. The slices are the spans of LockUses.
//
// In both "holder" and "waiters" each owner has a track of its own. The tracks have the same
// name, so Perfetto draws them as one. On a single track, slices that overlap would have to nest.
//
// PerfettoWriter calls take() for each event, then close() once. The events of each owner come in
// order of time.
class PerfettoLocks {
  public:
    PerfettoLocks(PerfettoView& view, SymbolOf name_of)
        : view_(view), name_of_(std::move(name_of)) {}

    void take(ProcessorId processor, const TraceEvent& event) {
        if (event.what != TraceEvent::What::probe) return;
        if (const auto ended = uses_.take(processor, mark_of(event))) show(*ended, false);
    }
    // Shows waits and holds that have not ended up to `at`, marked as open.
    void close(Time at);

  private:
    void show(const LockSpan& span, bool open);
    perfetto::Track track_of(const LockSpan& span);

    PerfettoView& view_;
    SymbolOf name_of_;
    std::map<Address, perfetto::Track> locks_;
    std::map<std::tuple<Address, LockOwner, bool>, perfetto::Track> owners_;  // bool: as holder
    LockUses uses_;
};

// The tracks of the guest's processes in trace.pftrace: a slice for each span of ProcessTimeline,
// and on the child track "waits for LOCK" a slice for each stall at the lock. A flow leads from the
// slice in which the holder does not run to the first 64 of these stalls.
//
// Slices of one track are written in order of time, since Perfetto would else nest slices that
// touch. So the spans of a process are kept until no earlier one can come, and until the stalls
// because of its absences are known.
//
// PerfettoWriter calls take() and write() for each chunk, then close() once.
class PerfettoProcesses final : private ProcessListener {
  public:
    PerfettoProcesses(PerfettoView& view, unsigned processors, SymbolOf name_of)
        : view_(view), timeline_(processors, *this), name_of_(std::move(name_of)) {}

    // Collects the slices of the events of a chunk.
    void take(const ByTime<TraceEvent>& events);
    // An upper bound for what write() and close() would add to the file.
    std::size_t most_bytes() const;
    // Writes the slices that are complete.
    void write();
    // Shows what is under way up to `at`. Chunks from `at` on may have been taken.
    void close(Time at);
    // The track of a process, and what it is called.
    perfetto::Track track_of(std::uint32_t process);
    void set_titles(std::function<std::string(std::uint32_t)> title) { title_ = std::move(title); }

  private:
    struct Slice {
        ProcessSpan span;
        std::vector<std::uint64_t> flows = {};  // that begin at it
        // Of a stall, whose time is that of `span`: the process that was not running.
        std::optional<std::uint32_t> waits_for = {};
        std::optional<std::uint64_t> flow = {};  // that ends at it
    };
    struct Tracks {
        std::optional<perfetto::Track> process;
        std::map<Address, perfetto::Track> waits;  // by lock
    };
    // Spans of a process, and stalls because of it.
    struct Kept {
        std::vector<ProcessSpan> spans;
        std::vector<LockStall> stalls;
    };

    void spent(const ProcessSpan& span) override;
    void stalled(const LockStall& stall) override;
    void connect(std::uint32_t process);
    void complete(std::uint32_t process);
    void show(const Slice& slice);
    perfetto::Track track_of(const Slice& slice);
    const std::string& lock_name(Address lock);
    bool shows(const ProcessSpan& span) const {
        return span.from < end_ && view_.shows(span.from, std::min(span.to, end_));
    }

    PerfettoView& view_;
    ProcessTimeline timeline_;
    SymbolOf name_of_;
    // Null: "process N". Empty text: not known yet.
    std::function<std::string(std::uint32_t)> title_;
    std::vector<Slice> complete_;
    std::map<std::uint32_t, Kept> kept_;  // by process
    std::map<std::uint32_t, Tracks> tracks_;
    std::map<Address, std::string> lock_names_;
    std::uint64_t flows_ = 0;
    Time latest_ = 0;    // of the marks taken
    Time end_ = kNever;  // the trace shows nothing later
};

// The tracks of the threads of a Linux program below those of PerfettoProcesses: a slice for each
// visit of the kernel, and one for each sleep on a futex; an instant for each static probe. A flow
// leads from the wake to the end of the sleep.
//
// PerfettoWriter calls take() and write() for each chunk, then close() once.
class PerfettoThreads final : private LinuxListener {
  public:
    PerfettoThreads(PerfettoView& view, const RunFacts& run, SymbolOf name_of)
        : view_(view),
          timeline_(run.processors, *this),
          system_calls_(run.system_calls),
          event_names_(run.events),
          program_(run.program),
          name_of_(std::move(name_of)) {}

    void take(const ByTime<TraceEvent>& events);
    std::size_t most_bytes() const;
    void write();
    void close(Time at);
    // What the track of a thread is called. Empty: it may get a name soon, and its slices wait.
    std::string title(std::uint32_t thread) const;
    // Where its tracks belong.
    void set_parent(std::function<perfetto::Track(std::uint32_t)> parent) {
        parent_ = std::move(parent);
    }

  private:
    struct Tracks {
        std::optional<perfetto::Track> kernel, waits, events;
    };
    void visited(const KernelVisit& visit) override { visits_.push_back(visit); }
    void waited(const FutexWait& wait) override { waits_.push_back(wait); }
    void happened(const LinuxEvent& event) override { events_.push_back(event); }
    perfetto::Track kernel_track(std::uint32_t thread);
    void show(const KernelVisit& visit);
    void show(const FutexWait& wait);
    void show(const LinuxEvent& event);

    PerfettoView& view_;
    LinuxTimeline timeline_;
    std::vector<std::string> system_calls_, event_names_;
    std::string program_;
    SymbolOf name_of_;
    std::function<perfetto::Track(std::uint32_t)> parent_;
    std::vector<KernelVisit> visits_;
    std::vector<FutexWait> waits_;
    std::vector<LinuxEvent> events_;
    std::map<std::uint32_t, Tracks> tracks_;
    std::uint64_t flows_ = 0;
    Time latest_ = 0;    // of the marks taken
    Time end_ = kNever;  // the trace shows nothing later
};

// The tracks of the guest's address spaces in trace.pftrace: a process for each space, with a
// thread for each processor that has been in it. A slice is a part of a call (CallParts); if the
// processor does something else, the slice is named after its activity. The kernel's time counts
// for the space that the processor leaves, until it is in the next one.
//
// Flows lead from the slice that sends a message to the one that receives it, and from a
// processor's last slice in a space to its first one in the next.
//
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
        bool continues(std::uint32_t in, std::string_view as, const Comes& next) const;
    };
    struct Place {
        std::optional<std::uint32_t> space = {};
        Activity activity = Activity::boot;
        CallParts parts = {};
        Time shown = 0;                   // up to where there are slices
        std::optional<Slice> slice = {};  // the last one, which may continue
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
    template <class Matches>
    std::uint64_t flow_of(Address message, std::optional<Time> received, Matches matches);
    std::uint64_t new_flow();

    PerfettoView& view_;
    std::vector<Place> places_;  // by processor
    std::vector<Space> spaces_;  // by number
    std::map<Address, Message> messages_;
    std::uint64_t flows_ = 0;
};

}  // namespace symsim
