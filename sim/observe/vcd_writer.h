// SPDX-License-Identifier: MIT
// The bus as a value change dump (IEEE 1364) for GTKWave: who holds it, for what, at which address.
//
// Written as the uses come, which is in order of time. A request is told only when it is granted,
// so there is no signal for those that wait; instead `wait_ps` says how long the one just granted
// waited. Kind and activity are `string` variables, an extension that GTKWave and Surfer show as
// text: a code in a wave would need a table beside it. Between uses `grant` is 0 and the others
// are "z" (strings "-"), so that no stale value reads as a use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "sim/base/time.h"
#include "sim/events/observer.h"
#include "sim/observe/column.h"
#include "sim/observe/output_file.h"
#include "sim/observe/trace_sink.h"

namespace symsim {

// Room for some 15 million uses, which is also what GTKWave still opens in reasonable time.
constexpr std::size_t kMaxVcdBytes = std::size_t{1} << 30;

// The signals; their types are the units.
Columns vcd_signals();

class VcdWriter final : public TraceSink {
  public:
    explicit VcdWriter(const std::filesystem::path& path, std::size_t max_bytes = kMaxVcdBytes);

    std::string_view key() const override { return "trace"; }
    void begin(const Window& window) override;
    bool takes_single_uses() const override { return true; }
    void take(const TraceChunk& chunk) override;
    // Never throws: a failed write is kept for commit().
    void used(const BusUse& use) override;
    // Ends the trace with the window or the run; a use under way then keeps the bus.
    void close(const RunEnd& end) override;
    // Throws OutputError if anything could not be written.
    void commit() override { file_.commit(); }

    bool failed() const override { return file_.failed(); }
    const std::filesystem::path& path() const override { return file_.path(); }
    // When the size limit was reached; nothing later is in the trace.
    std::optional<Time> stopped_at() const override { return stopped_at_; }

  private:
    enum Signal : std::size_t {
        grant,
        owner,
        kind,
        activity,
        address,
        size,
        reply,
        locked,
        wait,
        kSignals
    };
    void stamp(Time at);
    void set(Signal signal, std::uint64_t value) {
        if (shown_[signal] != value) change(signal, value);
    }
    void change(Signal signal, std::uint64_t value);
    // What has been said since, at once.
    void write();
    void release();

    OutputFile file_;
    std::size_t max_bytes_;
    Window window_{kNever, kNever};  // until it is known nothing is shown
    std::optional<Time> stopped_at_;
    Time stamped_ = -1;
    Time free_at_ = kNever;  // when the use under way ends
    static constexpr std::uint64_t kNothingYet = ~std::uint64_t{0};
    static constexpr std::uint64_t kNone = kNothingYet - 1;  // of a bus that nobody holds
    std::array<std::uint64_t, kSignals> shown_{};
    // What is not written yet: two times, and a change of each signal to nobody and back.
    static constexpr std::size_t kChangeBytes = 80;  // 64 bits and what stands around them
    std::array<char, 2 * kSignals * kChangeBytes + 64> text_;
    char* end_ = text_.data();
};

}  // namespace symsim
