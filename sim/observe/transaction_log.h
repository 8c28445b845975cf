// SPDX-License-Identifier: MIT
// Writes bus.log.zst: each bus use, mark and state interval of the run.
// docs/reference/transactions.md has the format.
//
// For each chunk the log has one block for each type of record. Bus uses are in order of time.
// Marks and states are grouped by processor and in order of time within a group, as in the chunk.
// The reader sorts them: merging the groups here would take a twelfth of the log's cost
// (docs/dev/performance.md).
#pragma once

#include <zstd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_range.h"
#include "sim/observe/output_file.h"
#include "sim/observe/trace_sink.h"
#include "sim/observe/transaction_records.h"

namespace symsim {

// Compresses the contents of a file with zstd, as one frame with a checksum. While the file is
// being written, all but the last few 100 KB can be read from NAME.part.
class ZstdFrame {
  public:
    explicit ZstdFrame(OutputFile& file);
    void write(std::string_view bytes) { compress(bytes, ZSTD_e_continue); }
    // Ends the frame. No write() may follow.
    void end() { compress({}, ZSTD_e_end); }

  private:
    struct Free {
        void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    };
    void compress(std::string_view bytes, ZSTD_EndDirective directive);

    OutputFile& file_;
    std::unique_ptr<ZSTD_CCtx, Free> context_;
    std::string compressed_;
};

// The size limit is one of the records, before compression.
class TransactionLog final : public TraceSink {
  public:
    explicit TransactionLog(const TraceConfig& config);

    void take(const TraceChunk& chunk) override;
    void close(const RunEnd& end) override;

  private:
    bool stopped() const { return stopped_at_ || failed(); }
    void add_state(const StateInterval& interval);
    void cut_states(Time at);
    void finish(Time until);
    void write(std::size_t uses);
    // Layout: the record that each is written as.
    template <class Layout, class Record>
    void write_block(RecordType type, const Record* records, std::size_t count);

    ZstdFrame frame_;
    const bool several_resources_;
    std::uint64_t room_;  // bytes of records that may still be written
    std::vector<StateIntervals> intervals_;
    bool states_are_cut_ = false;  // at the end of the window or log: no more are added
    // Records not written yet. Uses under way stay, since the end of the log may cut them, and so
    // do all later ones. The last use stays in any case.
    std::vector<BusUse> uses_;
    std::vector<ProcessorMark> marks_;
    std::vector<StateInterval> states_;
    std::string bytes_;  // buffer for a block; it never shrinks
};

}  // namespace symsim
