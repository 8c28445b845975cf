// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sim/observe/csv_files.h"
#include "sim/observe/numbers.h"

namespace symsim {
namespace {

struct Row {
    Time start, end;
    const NamedResource& link;
    const BusInterval& use;

    std::int64_t share(Time part) const { return millionths(part, end - start); }
};

}  // namespace

// A row for each interval and link that messages used or waited for.
RunFile links_csv() {
    return csv_file<Row>(
        {"links.csv", "links between nodes, a row per interval and link in use", kOnSeveralNodes,
         "yes", has_nodes},
        {
            {"start_us", "us", "begin of the interval", &Row::start},
            {"end_us", "us", "end of the interval", &Row::end},
            {"ring", "", "number of the link's ring", [](auto& r) { return r.link.number; }},
            {"from_node", "", "node where the link begins", [](auto& r) { return r.link.node; }},
            {"to_node", "", "node where it ends, the next one on the ring",
             [](auto& r) { return r.link.to_node; }},
            {"messages", "count", "whose use of the link began in the interval",
             [](auto& r) { return r.use.transactions; }},
            {"busy_us", "us", "time for which messages occupied the link",
             [](auto& r) { return r.use.busy(); }},
            {"utilisation", "ratio", "busy_us divided by the length of the interval",
             [](auto& r) { return r.share(r.use.busy()); }},
            {"mean_wait_us", "us",
             "mean wait of these messages for the link, including their waits in earlier intervals",
             [](auto& r) { return mean(r.use.wait, r.use.transactions); }},
            {"mean_queue_length", "ratio", "messages waiting, averaged over the interval",
             [](auto& r) { return r.share(r.use.queueing); }},
        },
        [](const RunReport& report, const auto& write) {
            const DistanceReport& distance = *report.distance;
            const std::size_t links = distance.links.size();
            for (std::size_t i = 0; i < distance.link_intervals.size(); ++i) {
                const BusInterval& use = distance.link_intervals[i];
                if (use.busy() == 0 && use.queueing == 0 && use.transactions == 0) continue;
                const Time start = static_cast<Time>(i / links) * distance.interval;
                write({start, std::min(start + distance.interval, report.end),
                       distance.links[i % links], use});
            }
        });
}

}  // namespace symsim
