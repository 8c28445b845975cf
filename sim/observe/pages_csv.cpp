// SPDX-License-Identifier: MIT
#include "sim/observe/csv_files.h"
#include "sim/observe/numbers.h"

namespace symsim {

// A row for each page of memory of which a processor missed a line.
RunFile pages_csv() {
    return csv_file<PageMisses>(
        {"pages.csv", "misses by node, a row per page of memory", kOnSeveralNodes, "yes",
         has_nodes},
        {
            {"page", "", "address of the page of 4096 bytes, as hexadecimal text",
             [](const PageMisses& page) { return hex_text(page.page); }},
            {"symbol", "", "symbol and offset of the page's first byte; empty if it is in none",
             &PageMisses::symbol},
            {"home_node", "",
             "node whose memory has the page; if that changed, or the page is larger than "
             "nodes.page_bytes: the home of the line that was missed last",
             &PageMisses::home},
            {"misses_nodeNODE", "count",
             "lines of the page that processors of each node missed; a column for each node",
             &PageMisses::by_node},
        },
        [](const RunReport& report, const auto& write) {
            for (const PageMisses& page : report.distance->pages) write(page);
        });
}

}  // namespace symsim
