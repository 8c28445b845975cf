// SPDX-License-Identifier: MIT
// Perfetto traces of made-up runs, read back: for the tests of the writer.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/observe/perfetto_writer.h"
#include "sim/observe/trace_feed.h"
#include "tests/observe/perfetto_reader.h"
#include "tests/observe/support.h"

namespace symsim::testing {

inline constexpr Address kLock = 0x1040;
using Span = std::pair<Time, Time>;

class PerfettoWriterTest : public InFolder {
  protected:
    TraceConfig config() {
        TraceConfig config{};
        config.max_bytes = std::size_t{300} << 20;
        config.path = folder_ / "trace.pftrace";
        config.run.processors = 2;
        config.name_of = [](Address a) { return a == kLock ? "my_lock" : std::string(); };
        config.symbols = {{kLock, kLock + 4, kLock, "my_lock"}};
        config.run.processes = processes_;
        config.run.spaces = spaces_;
        config.run.resources = resources_;
        config.run.table = table_;
        return config;
    }
    bool processes_ = false;
    std::vector<std::string> spaces_;
    unsigned resources_ = 1;
    ResourceTable table_;
    // The trace of a run that ends at `end`, whose events come from `tell`.
    template <class Tell>
    PerfettoTrace trace(Tell tell, Time end, const Window& window = {},
                        std::vector<BusInterval> intervals = {}) {
        intervals.resize(rows(end) * resources_);
        WindowConfig asked;
        asked.fixed = window;
        TraceFeed feed(2, asked);
        PerfettoWriter writer(config());
        feed.add(writer);
        tell(feed);
        feed.close(end);
        writer.close({end, intervals, 10 * kUs});
        writer.commit();
        EXPECT_FALSE(writer.stopped_at());
        return PerfettoReader::read(contents(folder_ / "trace.pftrace"));
    }
    // The number of intervals of 10 us in a run.
    static std::size_t rows(Time end) {
        return static_cast<std::size_t>((end + 10 * kUs - 1) / (10 * kUs));
    }
    static std::vector<Span> spans(const std::vector<PerfettoSlice>& slices) {
        std::vector<Span> found;
        for (const PerfettoSlice& slice : slices) found.emplace_back(slice.start, slice.end);
        return found;
    }
};

}  // namespace symsim::testing
