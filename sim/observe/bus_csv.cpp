// SPDX-License-Identifier: MIT
#include "sim/observe/bus_csv.h"

#include <algorithm>
#include <string>

#include "sim/observe/numbers.h"
#include "sim/observe/output_file.h"

namespace symsim {
namespace {

std::string row(const BusInterval& interval, Time start, Time end) {
    const Time length = end - start;
    std::string line;
    line.reserve(256);
    const auto add = [&line](const std::string& text) {
        if (!line.empty()) line += ',';
        line += text;
    };
    add(us_text(start));
    add(us_text(end));
    add(us_text(interval.busy()));
    add(ratio_text(interval.busy(), length));
    add(ratio_text(interval.queueing, length));
    add(std::to_string(interval.transactions));
    add(us_text(mean(interval.wait, interval.transactions)));
    for (const Time busy : interval.busy_by_activity) add(ratio_text(busy, length));
    for (const Time busy : interval.busy_by_kind) add(ratio_text(busy, length));
    line += '\n';
    return line;
}

}  // namespace

// In the order of row().
Columns bus_csv_columns() {
    return {
        {"start_us", "us", "where the interval begins"},
        {"end_us", "us", "where it ends"},
        {"busy_us", "us", "time the bus was held"},
        {"utilisation", "ratio", "busy_us per length of the interval"},
        {"mean_queue_length", "ratio", "requests waiting, averaged over the interval"},
        {"transactions", "count", "granted in the interval"},
        {"mean_wait_us", "us",
         "whole wait of those, per transaction, also what lay in earlier intervals"},
        {"share_activity_ACTIVITY", "ratio",
         "part of the interval the bus was held for each activity; they sum to utilisation"},
        {"share_kind_KIND", "ratio",
         "part of the interval the bus was held by each kind; they sum to utilisation"},
    };
}

void write_bus_csv(const RunReport& report, const std::filesystem::path& path) {
    OutputFile file(path);
    file.write(csv_header(bus_csv_columns()));
    Time start = 0;
    for (const BusInterval& interval : report.intervals) {
        const Time end = std::min(start + report.interval, report.end);
        file.write(row(interval, start, end));
        start = end;
    }
    file.commit();
}

}  // namespace symsim
