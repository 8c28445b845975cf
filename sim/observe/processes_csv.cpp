// SPDX-License-Identifier: MIT
#include "sim/observe/csv_files.h"

namespace symsim {
namespace {

Table<ProcessTimes> table() {
    Table<ProcessTimes> table = {
        {"process", "", "its number", &ProcessTimes::number},
        {"created_us", "us", "when it was created", &ProcessTimes::created},
        {"ended_us", "us", "when it ended; empty if it had not ended at the end of the run",
         [](auto& t) { return t.ended == kNever ? Json() : Json(t.ended); }},
    };
    add_each(
        table, "", kProcessStateNames, "_us", "us",
        [](std::size_t state) { return kProcessStateMeanings[state]; },
        [](auto& t) { return t.states; });
    add(table, "",
        {
            {"quanta", "count", "times a processor began to run it", &ProcessTimes::quanta},
            {"preemptions", "count", "times it passed process_preempt", &ProcessTimes::preemptions},
            {"extensions", "count", "quanta that the kernel extended: process_warn",
             &ProcessTimes::extensions},
            {"yields", "count", "times it passed process_yield", &ProcessTimes::yields},
            {"blocks", "count", "times it passed process_block", &ProcessTimes::blocks},
            {"migrations", "count", "times it ran on another processor than before",
             &ProcessTimes::migrations},
            {"acquisitions", "count", "times it passed lock_acquired outside the kernel",
             &ProcessTimes::acquisitions},
        });
    return table;
}

}  // namespace

// A row for each process of the guest.
RunFile processes_csv() {
    return csv_file<ProcessTimes>(
        {"processes.csv", "processes, a row each", "processes in the guest", "yes", has_processes},
        table(), [](const RunReport& report, const auto& write) {
            for (const ProcessTimes& process : report.processes) write(process);
        });
}

}  // namespace symsim
