// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sim/observe/csv_files.h"
#include "sim/observe/numbers.h"

namespace symsim {
namespace {

struct Row {
    Time start, end;
    std::size_t resource;
    const BusInterval& use;

    std::int64_t share(Time part) const { return millionths(part, end - start); }
    template <std::size_t n>
    std::array<std::int64_t, n> shares(std::array<Time, n> parts) const {
        for (Time& part : parts) part = share(part);
        return parts;
    }
};

bool idle(const BusInterval& use) {
    return use.transactions == 0 && use.queueing == 0 && use.busy() == 0;
}

bool has_several_resources(const RunReport& report) {
    return report.bus.resources > 1;
}

}  // namespace

// A row for each interval, and resource if there are several.
RunFile bus_csv() {
    return csv_file<Row>(
        {"bus.csv", "the bus, a row per interval", "", "yes"},
        {
            {"start_us", "us", "begin of the interval", &Row::start},
            {"end_us", "us", "end of the interval", &Row::end},
            {"resource", "",
             "number of the resource of the interconnect that the row is about; absent if there is "
             "only one, as the bus. Those that nothing uses or waits for in an interval have no "
             "row, except for resource 0",
             &Row::resource, has_several_resources},
            {"busy_us", "us", "time for which the bus was occupied",
             [](auto& r) { return r.use.busy(); }},
            {"utilisation", "ratio", "busy_us divided by the length of the interval",
             [](auto& r) { return r.share(r.use.busy()); }},
            {"mean_queue_length", "ratio", "requests waiting, averaged over the interval",
             [](auto& r) { return r.share(r.use.queueing); }},
            {"transactions", "count", "granted in the interval",
             [](auto& r) { return r.use.transactions; }},
            {"mean_wait_us", "us",
             "mean wait of these transactions, including their waits in earlier intervals",
             [](auto& r) { return mean(r.use.wait, r.use.transactions); }},
            {"share_activity_ACTIVITY", "ratio",
             "share of the interval for which each activity occupied the bus; the shares sum to "
             "utilisation",
             [](auto& r) { return r.shares(r.use.busy_by_activity); }},
            {"share_kind_KIND", "ratio",
             "share of the interval for which each kind occupied the bus; the shares sum to "
             "utilisation",
             [](auto& r) { return r.shares(r.use.busy_by_kind); }},
        },
        [](const RunReport& report, const auto& write) {
            const std::size_t resources = report.bus.resources;
            for (std::size_t i = 0; i < report.intervals.size(); ++i) {
                const std::size_t resource = i % resources;
                if (resource > 0 && idle(report.intervals[i])) continue;
                const Time start = static_cast<Time>(i / resources) * report.interval;
                write({start, std::min(start + report.interval, report.end), resource,
                       report.intervals[i]});
            }
        });
}

}  // namespace symsim
