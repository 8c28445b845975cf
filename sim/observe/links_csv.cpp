// SPDX-License-Identifier: MIT
#include "sim/observe/links_csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/observe/numbers.h"

namespace symsim {

// The columns in the order in which write_links_csv() writes them.
Columns links_csv_columns() {
    return {
        {"start_us", "us", "begin of the interval"},
        {"end_us", "us", "end of the interval"},
        {"ring", "", "number of the link's ring"},
        {"from_node", "", "node where the link begins"},
        {"to_node", "", "node where it ends, the next one on the ring"},
        {"messages", "count", "whose use of the link began in the interval"},
        {"busy_us", "us", "time for which messages occupied the link"},
        {"utilisation", "ratio", "busy_us divided by the length of the interval"},
        {"mean_wait_us", "us",
         "mean wait of these messages for the link, including their waits in earlier intervals"},
        {"mean_queue_length", "ratio", "messages waiting, averaged over the interval"},
    };
}

std::optional<WrittenFile> write_links_csv(const RunReport& report,
                                           const std::filesystem::path& path) {
    OutputFile file(path);
    file.write(csv_header(links_csv_columns()));
    const DistanceReport& distance = *report.distance;
    const std::size_t links = distance.links.size();
    for (std::size_t i = 0; i < distance.link_intervals.size(); ++i) {
        const BusInterval& row = distance.link_intervals[i];
        const Time busy = row.busy();
        if (busy == 0 && row.queueing == 0 && row.transactions == 0) continue;
        const NamedResource& link = distance.links[i % links];
        const Time start = static_cast<Time>(i / links) * distance.interval;
        const Time end = std::min(start + distance.interval, report.end);
        file.write(fmt::format(
            "{},{},{},{},{},{},{},{},{},{}\n", us_text(start), us_text(end), link.number, link.node,
            link.to_node, row.transactions, us_text(busy), ratio_text(busy, end - start),
            us_text(mean(row.wait, row.transactions)), ratio_text(row.queueing, end - start)));
    }
    return file.commit();
}

}  // namespace symsim
