// SPDX-License-Identifier: MIT
#include "sim/observe/bus_csv.h"

#include <algorithm>
#include <string>

#include "sim/observe/numbers.h"
#include "sim/observe/output_file.h"

namespace symsim {
namespace {

std::string header() {
    std::string line =
        "start_us,end_us,busy_us,utilisation,mean_queue_length,transactions,mean_wait_us";
    for (const auto activity : kActivityNames) line.append(",share_activity_").append(activity);
    for (const auto kind : kKindNames) line.append(",share_kind_").append(kind);
    return line + "\n";
}

std::string row(const BusInterval& interval, Time start, Time end) {
    const Time length = end - start;
    std::string line = us_text(start) + "," + us_text(end) + "," + us_text(interval.busy()) + "," +
                       ratio_text(interval.busy(), length) + "," +
                       ratio_text(interval.queueing, length) + "," +
                       std::to_string(interval.transactions) + "," +
                       us_text(mean(interval.wait, interval.transactions));
    for (const Time busy : interval.busy_by_activity) line += "," + ratio_text(busy, length);
    for (const Time busy : interval.busy_by_kind) line += "," + ratio_text(busy, length);
    return line + "\n";
}

}  // namespace

void write_bus_csv(const RunReport& report, const std::filesystem::path& path) {
    OutputFile file(path);
    file.write(header());
    Time start = 0;
    for (const BusInterval& interval : report.intervals) {
        const Time end = std::min(start + report.interval, report.end);
        file.write(row(interval, start, end));
        start = end;
    }
    file.commit();
}

}  // namespace symsim
