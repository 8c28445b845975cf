// SPDX-License-Identifier: MIT
#include "sim/observe/locks_csv.h"

#include <fmt/format.h>

#include <string>

#include "sim/observe/numbers.h"
#include "sim/observe/output_file.h"

namespace symsim {
namespace {

// RFC 4180: symbols of other compilers' languages may hold commas and quotes.
std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"') result += '"';
        result += c;
    }
    return result + "\"";
}

}  // namespace

void write_locks_csv(const RunReport& report, const std::filesystem::path& path) {
    OutputFile file(path);
    file.write(
        "lock,address,processor,attempts,acquisitions,releases,wait_us,max_wait_us,hold_us,"
        "max_hold_us,open_wait_us,open_hold_us\n");
    for (const LockReport& lock : report.locks) {
        for (const auto& [processor, t] : lock.processors) {
            file.write(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", quoted(lock.name),
                                   hex_text(lock.address), processor, t.attempts, t.acquisitions,
                                   t.releases, us_text(t.wait), us_text(t.max_wait),
                                   us_text(t.hold), us_text(t.max_hold), us_text(t.open_wait),
                                   us_text(t.open_hold)));
        }
    }
    file.commit();
}

}  // namespace symsim
