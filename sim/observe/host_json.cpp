// SPDX-License-Identifier: MIT
#include "sim/observe/host_json.h"

#include <nlohmann/json.hpp>

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

Columns host_json_keys() {
    return {
        {"schema_version", "", "as in summary.json"},
        {"cpu_s", "s", "CPU time of the simulator, from its start to the end of the run"},
        {"wall_s", "s", "elapsed time on the host, over the same period"},
        {"peak_rss_mb", "MB", "largest memory use of the simulator, in 2^20 bytes"},
        {"mips", "10^6/s", "simulated instructions per second of cpu_s"},
        {"slowdown", "ratio", "cpu_s per simulated second"},
        {"host", "", "name of the host"},
        {"compiler", "", "that built the simulator"},
        {"build", "", "version and build type of the simulator"},
        {"engine", "",
         "run.engine: fast or reference; only in this file, since it changes no result"},
    };
}

std::string host_json(const RunReport& report) {
    const HostReport& host = report.host;
    const nlohmann::ordered_json json = {{"schema_version", kSchemaVersion},
                                         {"cpu_s", host.cpu_s},
                                         {"wall_s", host.wall_s},
                                         {"peak_rss_mb", host.peak_rss_mb},
                                         {"mips", mips(report)},
                                         {"slowdown", slowdown(report)},
                                         {"host", host.host},
                                         {"compiler", host.compiler},
                                         {"build", host.build},
                                         {"engine", host.engine}};
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::optional<WrittenFile> write_host_json(const RunReport& report,
                                           const std::filesystem::path& path) {
    return write_file(path, host_json(report));
}

}  // namespace symsim
