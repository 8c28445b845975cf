// SPDX-License-Identifier: MIT
// The machine's observer of a run: hands each event to the meters that want it.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "sim/base/failure.h"
#include "sim/events/observer.h"
#include "sim/observe/bus_meter.h"
#include "sim/observe/ledger.h"
#include "sim/observe/lock_meter.h"
#include "sim/observe/perfetto_writer.h"
#include "sim/observe/region_meter.h"
#include "sim/observe/report.h"
#include "sim/observe/trace_feed.h"
#include "sim/observe/transaction_log.h"
#include "sim/observe/vcd_writer.h"
#include "sim/observe/window.h"

namespace symsim {

struct RecorderConfig {
    unsigned processors = 1;
    Time interval = 100 * kMicrosecond;        // observe.interval_us
    std::optional<std::filesystem::path> vcd;  // where to write trace.vcd, if at all
    std::optional<PerfettoConfig> perfetto;    // of trace.pftrace, if it is wanted
    WindowConfig window;                       // what traces show
    std::optional<TransactionLogConfig> transactions;
};

class Recorder final : public Observer {
  public:
    explicit Recorder(const RecorderConfig& config);

    void passed(ProcessorId processor, const std::vector<Mark>& marks) override;
    void entered(ProcessorId processor, ProcessorState state, Time at) override;
    void waited(ProcessorId processor, const BusWait& wait) override;
    void used(const BusUse& use) override;
    void messaged(const InterruptMessage& message) override;
    void interrupted(ProcessorId processor, Time at, std::uint8_t vector,
                     std::uint32_t message) override;
    bool wants_progress() const override { return feed_.has_value(); }
    void reached(Time at) override;

    // A trace that cannot be written is worth ending a long run for; check_traces() says why.
    bool trace_failed() const {
        return (vcd_ && vcd_->failed()) || (perfetto_ && perfetto_->failed()) ||
               (transactions_ && transactions_->failed());
    }

    // What has been measured so far.
    template <class Archive>
    void serialize(Archive& archive) {
        archive(ledger_, bus_, locks_, regions_);
    }
    // Of a run that goes on from `at`: tells the traces what each processor is doing there.
    void begin_traces(Time at);

    // In this order, once each: closes all at the end of the run and aborts unless every
    // partition sums exactly; puts the traces in place; fills in what was measured; throws
    // OutputError if a trace could not be written (last, so that a full disk does not lose the
    // numbers).
    void finish(Time end);
    void save_traces();
    void fill(RunReport& report, const SymbolOf& symbol_of) const;
    void check_traces() const;

  private:
    void report_to_traces(const BusUse& use);
    const Window& window() const { return feed_ ? feed_->window() : window_; }

    Time end_ = 0;
    Ledger ledger_;
    BusMeter bus_;
    LockMeter locks_;
    RegionMeter regions_;
    Window window_;
    bool tells_uses_ = false;  // to some trace
    std::optional<VcdWriter> vcd_;
    std::optional<TransactionLog> transactions_;
    std::optional<OutputError> error_;  // the first of saving the traces
    std::optional<PerfettoWriter> perfetto_;
    // Of traces that want more than each use as it comes.
    std::optional<TraceFeed> feed_;
};

}  // namespace symsim
