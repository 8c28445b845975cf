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
