// SPDX-License-Identifier: MIT
// The machine's observer during a run: passes each event to the meters, whose numbers are always
// measured, and to the traces that the user asked for.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "sim/base/observer.h"
#include "sim/observe/bus_meter.h"
#include "sim/observe/by_time.h"
#include "sim/observe/call_meter.h"
#include "sim/observe/call_stacks.h"
#include "sim/observe/distance_meter.h"
#include "sim/observe/ledger.h"
#include "sim/observe/linux_meter.h"
#include "sim/observe/lock_meter.h"
#include "sim/observe/observe_config.h"
#include "sim/observe/process_meter.h"
#include "sim/observe/region_meter.h"
#include "sim/observe/report.h"
#include "sim/observe/run_files.h"
#include "sim/observe/space_meter.h"
#include "sim/observe/thread_waits.h"
#include "sim/observe/trace_feed.h"
#include "sim/observe/trace_sink.h"

namespace symsim {

struct RecorderConfig {
    RunFacts run;
    Time interval;             // observe.interval_us
    WindowConfig window = {};  // the part of the run that traces show
    bool call_stacks = false;  // the machine reports calls and returns
};

class Recorder final : public Observer {
  public:
    explicit Recorder(const RecorderConfig& config, TraceSinks traces = {});

    void passed(ProcessorId processor, const std::vector<Mark>& marks) override;
    void entered(ProcessorId processor, ProcessorState state, Time at) override;
    void waited(ProcessorId processor, const BusWait& wait) override;
    void used(const BusUse& use) override;
    // Traces show transactions, and a hold is none.
    void held(const BusUse& hold) override { bus_.held(hold); }
    void missed(const Miss& miss) override {
        if (distance_) distance_->missed(miss);
    }
    void carried(const BusUse& link) override {
        if (distance_) distance_->carried(link);
    }
    void messaged(const InterruptMessage& message) override {
        if (feed_) feed_->messaged(message);
    }
    void interrupted(ProcessorId processor, Time at, std::uint8_t vector,
                     std::uint32_t message) override {
        if (feed_) feed_->interrupted(processor, at, vector, message);
    }
    bool wants_progress() const override { return feed_ || ordered_; }
    void reached(Time at) override;

    // At the time of the last event: what a processor does, and the lock that it waits for.
    ProcessorState state(ProcessorId processor) const { return ledger_.current(processor).first; }
    std::optional<Address> awaited_lock(ProcessorId processor) const {
        return locks_.awaited(processor);
    }
    // If calls are reported: the stacks at `at`. All that processors did before has been reported.
    const CallStacks& call_stacks(Time at) {
        stacks_->settle(at);
        return *stacks_;
    }
    // A thread of a Linux program, such as "thread 101 worker". All before `at` has been reported.
    std::string thread_title(std::uint32_t number, Time at) {
        tell_in_order(at);
        return fmt::format("thread {} {}", number, linux_->thread_name(number, run_.program));
    }
    std::vector<ThreadWaits::Wait> thread_waits() const { return threads_.waits(); }

    // A trace that cannot be written is a reason to end a long run; save_traces() says why.
    bool trace_failed() const;

    // The end of a run, in this order:
    // - finish() closes the meters and traces, and aborts unless every partition of time sums
    //   exactly;
    // - fill() copies the measurements to the report;
    // - save_traces() puts the traces in place. True: a trace has failed only now, so what fill()
    //   reported of it is no longer right.
    void finish(Time end);
    void fill(RunReport& report, const SymbolOf& symbol_of) const;
    bool save_traces(ResultFiles& files);

  private:
    // Tells the meters that need it the marks before `at`, in order of time.
    void tell_in_order(Time at);
    const Window& window() const { return feed_ ? feed_->window() : window_; }
    TraceReport trace_report(const TraceSink& trace) const;

    LinuxReport linux_report(const std::vector<ProcessTimes>& threads,
                             const SymbolOf& symbol_of) const;

    RunFacts run_;
    Time end_ = 0;
    Ledger ledger_;
    BusMeter bus_;
    LockMeter locks_;
    RegionMeter regions_;
    ThreadWaits threads_;
    std::optional<ProcessMeter> process_meter_;
    std::optional<CallMeter> calls_;
    std::optional<SpaceMeter> spaces_;
    std::optional<DistanceMeter> distance_;
    std::optional<LinuxMeter> linux_;
    std::optional<CallStacks> stacks_;
    std::optional<MarksByTime> ordered_;  // for process_meter_, distance_ and linux_
    Window window_;
    const bool traced_;  // there are traces
    TraceSinks traces_;
    std::optional<TraceFeed> feed_;  // absent if all traces take single uses
};

}  // namespace symsim
