// SPDX-License-Identifier: MIT
#include "sim/observe/processes_csv.h"

#include <fmt/format.h>

#include <string>

#include "sim/observe/numbers.h"

namespace symsim {

// The columns in the order in which write_processes_csv() writes them.
Columns processes_csv_columns() {
    Columns columns = {
        {"process", "", "its number"},
        {"created_us", "us", "when it was created"},
        {"ended_us", "us", "when it ended; empty if it had not ended at the end of the run"},
    };
    for (std::size_t s = 0; s < kProcessStates; ++s)
        columns.push_back({std::string(kProcessStateNames[s]) + "_us", "us",
                           std::string(kProcessStateMeanings[s])});
    const Columns counts = {
        {"quanta", "count", "times a processor began to run it"},
        {"preemptions", "count", "times it passed process_preempt"},
        {"extensions", "count", "quanta that the kernel extended: process_warn"},
        {"yields", "count", "times it passed process_yield"},
        {"blocks", "count", "times it passed process_block"},
        {"migrations", "count", "times it ran on another processor than before"},
        {"acquisitions", "count", "times it passed lock_acquired outside the kernel"},
    };
    columns.insert(columns.end(), counts.begin(), counts.end());
    return columns;
}

std::optional<WrittenFile> write_processes_csv(const RunReport& report,
                                               const std::filesystem::path& path) {
    OutputFile file(path);
    file.write(csv_header(processes_csv_columns()));
    for (const ProcessTimes& t : report.processes) {
        std::string row = fmt::format("{},{},{}", t.number, us_text(t.created),
                                      t.ended == kNever ? "" : us_text(t.ended));
        for (const Time time : t.states) row += "," + us_text(time);
        for (const std::uint64_t count : {t.quanta, t.preemptions, t.extensions, t.yields, t.blocks,
                                          t.migrations, t.acquisitions})
            row += fmt::format(",{}", count);
        file.write(row + "\n");
    }
    return file.commit();
}

}  // namespace symsim
