// SPDX-License-Identifier: MIT
// Everything an observer is told, written to bus.log.zst: each use of the bus, mark and state.
//
// Its bytes are the same with every engine, though events of different processors come in another
// order in each. So what comes is held back until all is known that was earlier (settled(), every
// simulated millisecond), and then written as a block of each type of records, in order of time and
// then of processor; states in order of their end. docs/transactions.md has the format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/named_range.h"
#include "sim/observe/transaction_records.h"
#include "sim/observe/window.h"
#include "sim/observe/zstd_file.h"

namespace symsim {

struct TransactionLogConfig {
    std::filesystem::path path;
    unsigned processors = 1;
    std::uint64_t limit_bytes = std::uint64_t{1} << 32;  // of records, before compression
    std::vector<NamedRange> symbols;                     // disjoint, in order of address
};

class TransactionLog {
  public:
    explicit TransactionLog(const TransactionLogConfig& config, const Window& window = {});

    // These never throw: a failed write is kept for commit().
    void used(const BusUse& use);
    void passed(ProcessorId processor, const std::vector<Mark>& marks);
    void entered(ProcessorId processor, State state, Time at);
    // Everything before `at` has been told.
    void settled(Time at);
    // The run ended. What was going on is cut off there, and nothing may follow.
    void close(Time end);
    // Throws OutputError if anything could not be written.
    void commit() { file_.commit(); }

    bool failed() const { return file_.failed(); }
    const std::filesystem::path& path() const { return file_.path(); }
    // When the size limit was reached; nothing later is in the log.
    std::optional<Time> stopped_at() const { return stopped_at_; }

  private:
    // What has been told and not been written.
    struct Held {
        std::vector<BusUse> uses;
        std::vector<ProcessorMark> marks;
        std::vector<StateInterval> states;
    };
    bool stopped() const { return stopped_at_ || failed(); }
    Held take_before(Time at);
    void settle_states(Time at);
    void hold(StateInterval interval);
    void cut_states(Time at);
    void write(const Held& records);
    void finish(Time until);
    template <class Record>
    void write_block(RecordType type, const std::vector<Record>& records);

    ZstdFile file_;
    Window window_;
    std::uint64_t room_;  // bytes that may still be written
    std::vector<StateIntervals> intervals_;
    bool states_are_cut_ = false;  // at the end of the window: no more are held
    Held held_;
    Time settled_ = 0;
    std::optional<Time> stopped_at_;
    // Of a block that is being written: when each record is over; its processor, then its number.
    std::vector<std::pair<Time, std::uint64_t>> places_;
    std::string bytes_;
};

}  // namespace symsim
