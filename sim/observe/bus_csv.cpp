// SPDX-License-Identifier: MIT
#include "sim/observe/bus_csv.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/interconnect/transaction_kind.h"
#include "sim/observe/numbers.h"
#include "sim/observe/output_file.h"
#include "sim/processor/activity.h"

namespace symsim {
namespace {

constexpr std::size_t kNumbers = 8 + kActivities + kTransactionKinds;
using Row = std::array<char, kNumbers*(kNumberBytes + 1)>;

// `resource`: null if there is only one.
std::string_view row(Row& text, const BusInterval& interval, Time start, Time end,
                     const std::size_t* resource) {
    const Time length = end - start;
    const Time busy = interval.busy();
    char* at = text.data();
    const auto us = [&](Time t) { *(at = put_us(at, t))++ = ','; };
    const auto share = [&](Time part) { *(at = put_ratio(at, part, length))++ = ','; };
    us(start);
    us(end);
    if (resource) *(at = put_count(at, *resource))++ = ',';
    us(busy);
    share(busy);
    share(interval.queueing);
    *(at = put_count(at, interval.transactions))++ = ',';
    us(mean(interval.wait, interval.transactions));
    for (const Time part : interval.busy_by_activity) share(part);
    for (const Time part : interval.busy_by_kind) share(part);
    at[-1] = '\n';
    return {text.data(), static_cast<std::size_t>(at - text.data())};
}

bool idle(const BusInterval& interval) {
    return interval.transactions == 0 && interval.queueing == 0 && interval.busy() == 0;
}

}  // namespace

// The columns in the order in which row() writes them.
Columns bus_csv_columns(bool several_resources) {
    Columns columns = {
        {"start_us", "us", "begin of the interval"},
        {"end_us", "us", "end of the interval"},
        {"busy_us", "us", "time for which the bus was occupied"},
        {"utilisation", "ratio", "busy_us divided by the length of the interval"},
        {"mean_queue_length", "ratio", "requests waiting, averaged over the interval"},
        {"transactions", "count", "granted in the interval"},
        {"mean_wait_us", "us",
         "mean wait of these transactions, including their waits in earlier intervals"},
        {"share_activity_ACTIVITY", "ratio",
         "share of the interval for which each activity occupied the bus; the shares sum to "
         "utilisation"},
        {"share_kind_KIND", "ratio",
         "share of the interval for which each kind occupied the bus; the shares sum to "
         "utilisation"},
    };
    if (several_resources)
        columns.insert(columns.begin() + 2,
                       {"resource", "",
                        "number of the resource of the interconnect that the row is about; absent "
                        "if there is only one, as the bus. Those that nothing uses or waits for in "
                        "an interval have no row, except for resource 0"});
    return columns;
}

std::optional<WrittenFile> write_bus_csv(const RunReport& report,
                                         const std::filesystem::path& path) {
    OutputFile file(path);
    const std::size_t resources = report.bus.resources;
    const bool several = resources > 1;
    file.write(csv_header(bus_csv_columns(several)));
    Row text;
    for (std::size_t i = 0; i < report.intervals.size(); ++i) {
        const std::size_t resource = i % resources;
        if (resource > 0 && idle(report.intervals[i])) continue;
        const Time start = static_cast<Time>(i / resources) * report.interval;
        const Time end = std::min(start + report.interval, report.end);
        file.write(row(text, report.intervals[i], start, end, several ? &resource : nullptr));
    }
    return file.commit();
}

}  // namespace symsim
