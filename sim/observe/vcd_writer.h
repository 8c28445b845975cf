// SPDX-License-Identifier: MIT
// Writes trace.vcd: the bus as a value change dump (IEEE 1364) for GTKWave. It shows which
// processor occupies the bus, for what, and at which address.
//
// The uses are written as they come, which is in order of time. The bus reports a request only when
// it grants the request, so no signal shows waiting requests. Instead, `wait_ps` is how long the
// request just granted has waited. Kind and activity are `string` variables, an extension that
// GTKWave and Surfer show as text; numeric codes would need a table to read them. Between uses,
// `grant` is 0 and the other signals are "z" (strings "-"), so that no old value looks like a use.
// If the interconnect has several resources, each has these signals, in a scope of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/interconnect/named_resource.h"
#include "sim/observe/table.h"
#include "sim/observe/trace_sink.h"

namespace symsim {

// Enough for about 15 million uses. GTKWave still opens a file of this size in reasonable time.
constexpr std::uint64_t kMaxVcdBytes = std::uint64_t{1} << 30;

// The signals, for docs/reference/options-and-keys.md. The unit of each is its type.
Columns vcd_signals();

// Call begin() once, then used() or take() in order of time, then close() and commit(). If there is
// a TraceFeed, it calls begin() and take(). Else the Recorder calls begin() and used().
class VcdWriter final : public TraceSink {
  public:
    // Resources that the config does not name have numbers only.
    explicit VcdWriter(const TraceConfig& config);

    void begin(const Window& window) override;
    bool takes_single_uses() const override { return true; }
    void take(const TraceChunk& chunk) override;
    // Never throws: commit() throws the error of a failed write.
    void used(const BusUse& use) override;
    // Ends the trace with the window or the run. A use under way then still occupies its resource.
    void close(const RunEnd& end) override;

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
    static constexpr std::uint64_t kNothingYet = ~std::uint64_t{0};
    static constexpr std::uint64_t kNone = kNothingYet - 1;  // while the resource is idle
    struct Resource {
        Time free_at = kNever;  // when the use under way ends; kNever: none is
        std::array<std::uint64_t, kSignals> shown{};  // the last value of each signal
        std::string id;  // follows that of the signal; empty if there is only one resource
    };
    // Adds a time stamp, if `at` is not the current one.
    void stamp(Time at);
    void set(Resource& resource, Signal signal, std::uint64_t value) {
        if (resource.shown[signal] != value) change(resource, signal, value);
    }
    void change(Resource& resource, Signal signal, std::uint64_t value);
    // Writes text_ to the file.
    void write();
    void show_idle(Resource& resource);
    // Shows as idle each resource whose use ends before `at`, at that time.
    void end_uses_before(Time at);

    std::size_t max_bytes_;
    Time stamped_ = -1;
    std::vector<Resource> resources_;
    // Text not written yet. There is room for two time stamps, and for two changes of each signal
    // of a resource: to idle and back.
    static constexpr std::size_t kChangeBytes = 80;  // 64 binary digits, prefix, space, id, newline
    std::array<char, 2 * kSignals * kChangeBytes + 64> text_;
    char* end_ = text_.data();
};

}  // namespace symsim
