// SPDX-License-Identifier: MIT
#include "sim/observe/csv_files.h"

namespace symsim {
namespace {

struct Row {
    std::size_t processor, node;
    std::string_view activity, supplier;
    const MissCounts& counts;
};

}  // namespace

// A row for each processor, activity and supplier of lines with a miss.
RunFile misses_csv() {
    return csv_file<Row>(
        {"misses.csv", "misses, a row per processor, activity and supplier of lines",
         kOnSeveralNodes, "yes", has_nodes},
        {
            {"processor", "", "its number", &Row::processor},
            {"node", "", "the processor's node", &Row::node},
            {"activity", "", "of the processor when it posted the request", &Row::activity},
            {"supplier", "", "who had the line: one of the suppliers of outputs.md",
             &Row::supplier},
            {"misses", "count", "transactions that brought the processor a line",
             [](auto& r) { return r.counts.misses; }},
            {"far_misses", "count", "those of them whose messages took links between nodes",
             [](auto& r) { return r.counts.far; }},
            {"time_us", "us", "from posting the requests until the lines were there: sum",
             [](auto& r) { return r.counts.time; }},
            {"far_time_us", "us", "the part of time_us that is of far misses",
             [](auto& r) { return r.counts.far_time; }},
            {"links", "count",
             "links that the messages of these misses took; of messages at the same time, those of "
             "the longest way",
             [](auto& r) { return r.counts.links; }},
        },
        [](const RunReport& report, const auto& write) {
            const DistanceReport& distance = *report.distance;
            for (std::size_t p = 0; p < distance.misses.size(); ++p)
                for (std::size_t a = 0; a < kActivities; ++a)
                    for (std::size_t s = 0; s < kSuppliers; ++s)
                        if (const MissCounts& counts = distance.misses[p][a][s]; counts.misses > 0)
                            write({p, p / distance.topology.processors_per_node, kActivityNames[a],
                                   kSupplierNames[s], counts});
        });
}

}  // namespace symsim
