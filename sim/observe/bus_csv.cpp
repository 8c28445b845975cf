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

constexpr std::size_t kNumbers = 7 + kActivities + kTransactionKinds;
using Row = std::array<char, kNumbers*(kNumberBytes + 1)>;

std::string_view row(Row& text, const BusInterval& interval, Time start, Time end) {
    const Time length = end - start;
    const Time busy = interval.busy();
    char* at = text.data();
    const auto us = [&](Time t) { *(at = put_us(at, t))++ = ','; };
    const auto share = [&](Time part) { *(at = put_ratio(at, part, length))++ = ','; };
    us(start);
    us(end);
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

}  // namespace

// The columns in the order in which row() writes them.
Columns bus_csv_columns() {
    return {
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
}

std::optional<WrittenFile> write_bus_csv(const RunReport& report,
                                         const std::filesystem::path& path) {
    OutputFile file(path);
    file.write(csv_header(bus_csv_columns()));
    Row text;
    Time start = 0;
    for (const BusInterval& interval : report.intervals) {
        const Time end = std::min(start + report.interval, report.end);
        file.write(row(text, interval, start, end));
        start = end;
    }
    return file.commit();
}

}  // namespace symsim
