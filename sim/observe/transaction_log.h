// SPDX-License-Identifier: MIT
// Everything an observer is told, written to bus.log.zst: each use of the bus, mark and state.
//
// A block of each type of records for each chunk: uses in order of time, marks and states those of
// one processor behind those of another, as a chunk has them. Who reads it brings them into one
// order: here that took a twelfth of what the log costs (docs/performance.md).
// docs/transactions.md has the format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/named_range.h"
#include "sim/observe/trace_sink.h"
#include "sim/observe/transaction_records.h"
#include "sim/observe/zstd_file.h"

namespace symsim {

struct TransactionLogConfig {
    std::filesystem::path path;
    unsigned processors;
    std::uint64_t limit_bytes;  // of records, before compression: observe.transactions_limit_mb
    std::vector<NamedRange> symbols;  // disjoint, in order of address
};

class TransactionLog final : public TraceSink {
  public:
    explicit TransactionLog(const TransactionLogConfig& config);

    // These never throw: a failed write is kept for commit().
    std::string_view key() const override { return "transactions"; }
    void begin(const Window& window) override { window_ = window; }
    void take(const TraceChunk& chunk) override;
    // The run ended. What was going on is cut off there, and nothing may follow.
    void close(const RunEnd& end) override;
    // Throws OutputError if anything could not be written.
    void commit() override { file_.commit(); }

    bool failed() const override { return file_.failed(); }
    const std::filesystem::path& path() const override { return file_.path(); }
    // When the size limit was reached; nothing later is in the log.
    std::optional<Time> stopped_at() const override { return stopped_at_; }

  private:
    bool stopped() const { return stopped_at_ || failed(); }
    void add_state(const StateInterval& interval);
    void cut_states(Time at);
    void finish(Time until);
    void write(std::size_t uses);
    template <class Record>
    void write_block(RecordType type, const Record* records, std::size_t count);

    ZstdFile file_;
    Window window_{kNever, kNever};  // until it is known nothing is shown
    std::uint64_t room_;             // bytes that may still be written
    std::vector<StateIntervals> intervals_;
    bool states_are_cut_ = false;  // at the end of the window: no more are held
    std::optional<Time> stopped_at_;
    // Not written yet. Of the last use the end is only known when the next one begins.
    std::vector<BusUse> uses_;
    std::vector<ProcessorMark> marks_;
    std::vector<StateInterval> states_;
    std::string bytes_;  // of a block; it does not become smaller
};

}  // namespace symsim
