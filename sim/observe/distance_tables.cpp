// SPDX-License-Identifier: MIT
// misses.csv and pages.csv; misses in summary.json.
#include "sim/observe/numbers.h"
#include "sim/observe/result_tables.h"

namespace symsim {
namespace {

struct MissRow {
    std::size_t processor, node;
    std::string_view activity, supplier;
    const MissCounts& counts;
};

const Table<MissCounts> kMisses = {
    {"near", "count", "misses whose messages took no link", &MissCounts::near},
    {"far", "count", "misses whose messages took links between nodes", &MissCounts::far},
    {"near_time_us", "us", "from posting the requests of near misses until the lines were there",
     &MissCounts::near_time},
    {"far_time_us", "us", "the same of far misses", &MissCounts::far_time},
    {"mean_near_us", "us", "near_time_us per near miss",
     [](auto& c) { return mean(c.near_time(), c.near()); }},
    {"mean_far_us", "us", "far_time_us per far miss",
     [](auto& c) { return mean(c.far_time, c.far); }},
    {"links", "count",
     "that the messages took; of messages at the same time, those of the longest way",
     &MissCounts::links},
};

// All misses; those of each activity, supplier, node and processor.
Json misses(const RunReport& report) {
    const DistanceReport& distance = *report.distance;
    MissCounts all;
    std::array<MissCounts, kActivities> by_activity;
    std::array<MissCounts, kSuppliers> by_supplier;
    for (std::size_t p = 0; p < distance.misses.size(); ++p)
        for (std::size_t a = 0; a < kActivities; ++a)
            for (std::size_t s = 0; s < kSuppliers; ++s)
                for (MissCounts* sum : {&all, &by_activity[a], &by_supplier[s]})
                    *sum += distance.misses[p][a][s];
    Json json = object(kMisses, report, all);
    for (std::size_t a = 0; a < kActivities; ++a)
        json["by_activity"][kActivityNames[a]] = object(kMisses, report, by_activity[a]);
    for (std::size_t s = 0; s < kSuppliers; ++s)
        json["by_supplier"][kSupplierNames[s]] = object(kMisses, report, by_supplier[s]);
    json["by_node"] = list(kMisses, report, distance.misses_by_node());
    return json;
}

}  // namespace

void add_misses(Table<RunReport>& table) {
    table.push_back({"misses", "",
                     "transactions that brought a processor a line; absent on a machine without "
                     "several nodes",
                     misses, has_nodes});
    describe_parts(table, "misses", kMisses);
    table.push_back({"misses.by_activity", "", "the same by activity of the processor"});
    describe_parts(table, "misses.by_activity.ACTIVITY", kMisses);
    table.push_back({"misses.by_supplier", "", "the same by who had the line"});
    for (std::size_t s = 0; s < kSuppliers; ++s) {
        const std::string path = "misses.by_supplier." + std::string(kSupplierNames[s]);
        table.push_back({path, "", std::string(kSupplierMeanings[s])});
        describe_parts(table, path, kMisses);
    }
    table.push_back({"misses.by_node[]", "", "the same by node of the processor, in order"});
    describe_parts(table, "misses.by_node[]", kMisses);
}

// A row for each processor, activity and supplier of lines with a miss.
RunFile misses_csv() {
    return csv_file<MissRow>(
        {"misses.csv", "misses, a row per processor, activity and supplier of lines",
         kOnSeveralNodes, "yes", has_nodes},
        {
            {"processor", "", "its number", &MissRow::processor},
            {"node", "", "the processor's node", &MissRow::node},
            {"activity", "", "of the processor when it posted the request", &MissRow::activity},
            {"supplier", "", "who had the line: one of the suppliers of outputs.md",
             &MissRow::supplier},
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

// A row for each page of memory of which a processor missed a line.
RunFile pages_csv() {
    return csv_file<PageMisses>(
        {"pages.csv", "misses by node, a row per page of memory", kOnSeveralNodes, "yes",
         has_nodes},
        {
            {"page", "", "address of the page of 4096 bytes, as hexadecimal text",
             [](auto& page) { return hex_text(page.page); }},
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
