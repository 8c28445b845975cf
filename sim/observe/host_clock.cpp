// SPDX-License-Identifier: MIT
#include "sim/observe/host_clock.h"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string>

namespace symsim {
namespace {

#if defined(__clang__)
constexpr const char* kCompiler = "clang " __clang_version__;
#else
constexpr const char* kCompiler = "gcc " __VERSION__;
#endif

rusage usage() {
    rusage result{};
    getrusage(RUSAGE_SELF, &result);
    return result;
}

double seconds(const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
}

double process_cpu_s() {
    const rusage now = usage();
    return seconds(now.ru_utime) + seconds(now.ru_stime);
}

// ru_maxrss includes the memory that the process had before exec: if Python starts the simulator,
// that of Python. VmHWM of Linux does not, so it is preferred. Both are in KiB.
double peak_rss_mb() {
    std::ifstream status("/proc/self/status");
    std::string word;
    double kib = 0;
    while (status >> word)
        if (word == "VmHWM:" && status >> kib) return kib / 1024;
    return static_cast<double>(usage().ru_maxrss) / 1024;
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

}  // namespace symsim
