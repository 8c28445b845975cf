// SPDX-License-Identifier: MIT
#include "sim/observe/host_clock.h"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <fstream>
#include <string>

#include "sim/observe/output_file.h"

namespace symsim {

namespace {

#if defined(__clang__)
constexpr const char* kCompiler = "clang " __clang_version__;
#else
constexpr const char* kCompiler = "gcc " __VERSION__;
#endif

double process_cpu_s() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// ru_maxrss includes the memory that the process had before exec: if Python starts the simulator,
// that of Python. VmHWM of Linux does not, so it is preferred. Both are in KiB.
double peak_rss_mb() {
    std::ifstream status("/proc/self/status");
    std::string word;
    double kib = 0;
    while (status >> word)
        if (word == "VmHWM:" && status >> kib) return kib / 1024;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

HostClock::HostClock()
    : wall_start_(std::chrono::steady_clock::now()), cpu_start_s_(process_cpu_s()) {}

double HostClock::wall_s() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_start_).count();
}

double HostClock::cpu_s() const {
    return process_cpu_s() - cpu_start_s_;
}

HostReport HostClock::report() const {
    HostReport host;
    host.cpu_s = cpu_s();
    host.wall_s = wall_s();
    host.peak_rss_mb = peak_rss_mb();
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) == 0) host.host = name.data();
    host.compiler = kCompiler;
    return host;
}

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
