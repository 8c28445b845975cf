// SPDX-License-Identifier: MIT
#include "sim/observe/calls_csv.h"

#include <fmt/format.h>

#include "sim/observe/numbers.h"

namespace symsim {

Columns calls_csv_columns() {
    return {
        {"part", "", "client_send, server_receive and so on; idle and other are no part of a call"},
        {"count", "count", "how often"},
        {"time_us", "us", "sum over all processors; all parts sum to the time of all processors"},
        {"mean_us", "us", "per time"},
        {"per_call_us", "us", "per call that has returned"},
        {"longest_us", "us", "the longest one"},
    };
}

std::optional<WrittenFile> write_calls_csv(const RunReport& report,
                                           const std::filesystem::path& path) {
    OutputFile file(path);
    file.write(csv_header(calls_csv_columns()));
    for (std::size_t p = 0; p < kCallParts; ++p) {
        const Spans& part = report.calls->parts[p];
        file.write(fmt::format("{},{},{},{},{},{}\n", kCallPartNames[p], part.count,
                               us_text(part.sum), us_text(mean(part.sum, part.count)),
                               us_text(mean(part.sum, report.calls->calls)),
                               us_text(part.longest)));
    }
    return file.commit();
}

}  // namespace symsim
