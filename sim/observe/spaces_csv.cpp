// SPDX-License-Identifier: MIT
#include "sim/observe/spaces_csv.h"

#include <fmt/format.h>

#include <string>

#include "sim/observe/numbers.h"

namespace symsim {

Columns spaces_csv_columns() {
    Columns columns = {
        {"space", "", "its number; empty: processors that are in no space yet"},
        {"name", "", "as the image calls it"},
        {"processors_us", "us",
         "time of the processors that it has; all spaces sum to the time of all processors"},
    };
    for (std::size_t a = 0; a < kActivities; ++a)
        columns.push_back({std::string(kActivityNames[a]) + "_us", "us",
                           "the part of processors_us in that activity"});
    columns.push_back(
        {"arrivals", "count", "times a processor came; without an upcall where it was preempted"});
    for (std::size_t r = 0; r < kUpcallReasons; ++r)
        columns.push_back(
            {"upcalls_" + std::string(kUpcallReasonNames[r]), "count",
             "times it came by an upcall because " + std::string(kUpcallReasonMeanings[r])});
    const Columns counts = {
        {"donations", "count", "times it gave a processor to another space, or back"},
        {"preemptions", "count", "times the kernel took a processor away"},
        {"calls", "count", "calls that its threads have begun"},
        {"served", "count", "calls that it has served"},
        {"polls", "count", "times a processor without a thread looked for messages"},
        {"found", "count", "messages that it has received; most other polls found nothing"},
    };
    columns.insert(columns.end(), counts.begin(), counts.end());
    return columns;
}

std::optional<WrittenFile> write_spaces_csv(const RunReport& report,
                                            const std::filesystem::path& path) {
    OutputFile file(path);
    file.write(csv_header(spaces_csv_columns()));
    for (std::size_t s = 0; s < report.spaces.size(); ++s) {
        const SpaceTimes& space = report.spaces[s];
        const bool none = s + 1 == report.spaces.size();
        std::string row = fmt::format("{},{},{}", none ? "" : std::to_string(s),
                                      csv_field(space.name), us_text(space.held()));
        for (const Time time : space.activities) row += "," + us_text(time);
        row += fmt::format(",{}", space.arrivals);
        for (const std::uint64_t count : space.upcalls) row += fmt::format(",{}", count);
        for (const std::uint64_t count : {space.donations, space.preemptions, space.calls,
                                          space.served, space.polls, space.found})
            row += fmt::format(",{}", count);
        file.write(row + "\n");
    }
    return file.commit();
}

}  // namespace symsim
