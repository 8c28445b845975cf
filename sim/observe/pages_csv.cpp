// SPDX-License-Identifier: MIT
#include "sim/observe/pages_csv.h"

#include <fmt/format.h>

#include "sim/observe/numbers.h"

namespace symsim {

// The columns in the order in which write_pages_csv() writes them.
Columns pages_csv_columns() {
    return {
        {"page", "", "address of the page of 4096 bytes, as hexadecimal text"},
        {"symbol", "", "symbol and offset of the page's first byte; empty if it is in none"},
        {"home_node", "",
         "node whose memory has the page; if that changed, or the page is larger than "
         "nodes.page_bytes: the home of the line that was missed last"},
        {"misses_nodeNODE", "count",
         "lines of the page that processors of each node missed; a column for each node"},
    };
}

std::optional<WrittenFile> write_pages_csv(const RunReport& report,
                                           const std::filesystem::path& path) {
    OutputFile file(path);
    const DistanceReport& distance = *report.distance;
    Columns columns = pages_csv_columns();
    const Column of_node = columns.back();
    columns.pop_back();
    for (unsigned node = 0; node < distance.topology.nodes; ++node)
        columns.push_back({fmt::format("misses_node{}", node), of_node.unit, of_node.meaning});
    file.write(csv_header(columns));
    for (const PageMisses& page : distance.pages) {
        std::string row =
            fmt::format("{},{},{}", hex_text(page.page), csv_field(page.symbol), page.home);
        for (const std::uint64_t misses : page.by_node) row += fmt::format(",{}", misses);
        file.write(row + "\n");
    }
    return file.commit();
}

}  // namespace symsim
