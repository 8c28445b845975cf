// SPDX-License-Identifier: MIT
#include "sim/observe/csv_files.h"

namespace symsim {
namespace {

struct Row {
    std::optional<std::size_t> number;
    const SpaceTimes& space;
};

Table<Row> table() {
    Table<Row> table = {
        {"space", "", "its number; empty: processors that are in no space yet", &Row::number},
        {"name", "", "as the image calls it", [](auto& r) { return r.space.name; }},
        {"processors_us", "us",
         "time of the processors that it has; all spaces sum to the time of all processors",
         [](auto& r) { return r.space.held(); }},
    };
    add_each(
        table, "", kActivityNames, "_us", "us",
        [](std::size_t) { return "the part of processors_us in that activity"; },
        [](auto& r) { return r.space.activities; });
    table.push_back({"arrivals", "count",
                     "times a processor came; without an upcall where it was preempted",
                     [](auto& r) { return r.space.arrivals; }});
    add_each(
        table, "upcalls_", kUpcallReasonNames, "", "count",
        [](std::size_t reason) {
            return "times it came by an upcall because " +
                   std::string(kUpcallReasonMeanings[reason]);
        },
        [](auto& r) { return r.space.upcalls; });
    add(table, "",
        {
            {"donations", "count", "times it gave a processor to another space, or back",
             [](auto& r) { return r.space.donations; }},
            {"preemptions", "count", "times the kernel took a processor away",
             [](auto& r) { return r.space.preemptions; }},
            {"calls", "count", "calls that its threads have begun",
             [](auto& r) { return r.space.calls; }},
            {"served", "count", "calls that it has served", [](auto& r) { return r.space.served; }},
            {"polls", "count", "times a processor without a thread looked for messages",
             [](auto& r) { return r.space.polls; }},
            {"found", "count", "messages that it has received; most other polls found nothing",
             [](auto& r) { return r.space.found; }},
        });
    return table;
}

}  // namespace

// A row for each address space, and a last one for processors that are in none yet.
RunFile spaces_csv() {
    return csv_file<Row>(
        {"spaces.csv", "address spaces, a row each", "address spaces in the guest", "yes",
         has_spaces},
        table(), [](const RunReport& report, const auto& write) {
            const std::size_t none = report.spaces.size() - 1;
            for (std::size_t s = 0; s <= none; ++s)
                write({s < none ? std::optional(s) : std::nullopt, report.spaces[s]});
        });
}

}  // namespace symsim
