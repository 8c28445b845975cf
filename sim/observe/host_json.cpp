// SPDX-License-Identifier: MIT
#include "sim/observe/host_json.h"

#include "sim/observe/output_file.h"

namespace symsim {

// Uses processor time instead of wall time, because the runs of a sweep share the host.
double mips(const RunReport& report) {
    if (report.host.cpu_s <= 0) return 0;
    return static_cast<double>(report.all_instructions()) / 1e6 / report.host.cpu_s;
}

double slowdown(const RunReport& report) {
    if (report.end <= 0) return 0;
    return report.host.cpu_s * 1e12 / static_cast<double>(report.end);
}

RunFile host_json() {
    const Table<RunReport> table = {
        {"schema_version", "", "as in summary.json",
         [](const RunReport&) { return kSchemaVersion; }},
        {"cpu_s", "s", "CPU time of the simulator, from its start to the end of the run",
         [](auto& r) { return r.host.cpu_s; }},
        {"wall_s", "s", "elapsed time on the host, over the same period",
         [](auto& r) { return r.host.wall_s; }},
        {"peak_rss_mb", "MB", "largest memory use of the simulator, in 2^20 bytes",
         [](auto& r) { return r.host.peak_rss_mb; }},
        {"mips", "10^6/s", "simulated instructions per second of cpu_s", mips},
        {"slowdown", "ratio", "cpu_s per simulated second", slowdown},
        {"host", "", "name of the host", [](auto& r) { return r.host.host; }},
        {"compiler", "", "that built the simulator", [](auto& r) { return r.host.compiler; }},
        {"build", "", "version and build type of the simulator",
         [](auto& r) { return r.host.build; }},
        {"engine", "",
         "run.engine: fast or reference; only in this file, since it changes no result",
         [](auto& r) { return r.host.engine; }},
    };
    return {"host.json",
            "the cost of the run on the host",
            "",
            "no",
            nullptr,
            columns(table),
            [table](const RunReport& report, const std::filesystem::path& path) {
                return write_file(path, object(table, report, report).text(2) + "\n");
            }};
}

}  // namespace symsim
