// SPDX-License-Identifier: MIT
#include "sim/observe/misses_csv.h"

#include <fmt/format.h>

#include "sim/observe/numbers.h"

namespace symsim {

// The columns in the order in which write_misses_csv() writes them.
Columns misses_csv_columns() {
    return {
        {"processor", "", "its number"},
        {"node", "", "the processor's node"},
        {"activity", "", "of the processor when it posted the request"},
        {"supplier", "", "who had the line: one of the suppliers of outputs.md"},
        {"misses", "count", "transactions that brought the processor a line"},
        {"far_misses", "count", "those of them whose messages took links between nodes"},
        {"time_us", "us", "from posting the requests until the lines were there: sum"},
        {"far_time_us", "us", "the part of time_us that is of far misses"},
        {"links", "count",
         "links that the messages of these misses took; of messages at the same time, those of the "
         "longest way"},
    };
}

std::optional<WrittenFile> write_misses_csv(const RunReport& report,
                                            const std::filesystem::path& path) {
    OutputFile file(path);
    file.write(csv_header(misses_csv_columns()));
    const DistanceReport& distance = *report.distance;
    for (std::size_t p = 0; p < distance.misses.size(); ++p)
        for (std::size_t a = 0; a < kActivities; ++a)
            for (std::size_t s = 0; s < kSuppliers; ++s) {
                const MissCounts& counts = distance.misses[p][a][s];
                if (counts.misses == 0) continue;
                file.write(fmt::format(
                    "{},{},{},{},{},{},{},{},{}\n", p, p / distance.topology.processors_per_node,
                    kActivityNames[a], kSupplierNames[s], counts.misses, counts.far,
                    us_text(counts.time), us_text(counts.far_time), counts.links));
            }
    return file.commit();
}

}  // namespace symsim
