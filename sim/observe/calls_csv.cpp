// SPDX-License-Identifier: MIT
#include "sim/observe/csv_files.h"
#include "sim/observe/numbers.h"

namespace symsim {
namespace {

struct Row {
    std::string_view name;
    const Spans& spans;
    std::uint64_t calls;
};

}  // namespace

// A row for each part of a call.
RunFile calls_csv() {
    return csv_file<Row>(
        {"calls.csv", "calls between address spaces, a row for each part of them",
         "calls in the guest", "yes", has_calls},
        {
            {"part", "",
             "client_send, server_receive and so on; idle and other are not part of a call",
             &Row::name},
            {"count", "count", "how often", [](auto& r) { return r.spans.count; }},
            {"time_us", "us",
             "sum over all processors; all parts sum to the time of all processors",
             [](auto& r) { return r.spans.sum; }},
            {"mean_us", "us", "per time", [](auto& r) { return mean(r.spans.sum, r.spans.count); }},
            {"per_call_us", "us", "per call that has returned",
             [](auto& r) { return mean(r.spans.sum, r.calls); }},
            {"longest_us", "us", "the longest one", [](auto& r) { return r.spans.longest; }},
        },
        [](const RunReport& report, const auto& write) {
            for (std::size_t p = 0; p < kCallParts; ++p)
                write({kCallPartNames[p], report.calls->parts[p], report.calls->calls});
        });
}

}  // namespace symsim
