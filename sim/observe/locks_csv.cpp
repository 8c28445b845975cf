// SPDX-License-Identifier: MIT
#include "sim/observe/locks_csv.h"

#include <fmt/format.h>

#include <string>

#include "sim/observe/numbers.h"
#include "sim/observe/output_file.h"

namespace symsim {
namespace {

// Quotes a CSV field as in RFC 4180. Symbols of languages other than C may contain commas and
// quotes.
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

// The columns in the order in which write_locks_csv() writes them.
Columns locks_csv_columns() {
    return {
        {"lock", "", "the lock's symbol, or its address if it has none"},
        {"address", "", "as hexadecimal text"},
        {"processor", "", "its number"},
        {"attempts", "count", "times it passed lock_attempt"},
        {"acquisitions", "count", "times it passed lock_acquired"},
        {"releases", "count", "times it passed lock_release"},
        {"wait_us", "us", "from attempt to acquisition: sum"},
        {"max_wait_us", "us", "longest"},
        {"hold_us", "us", "from acquisition to release: sum"},
        {"max_hold_us", "us", "longest"},
        {"open_wait_us", "us",
         "of a wait that has not ended at the end of the run; not in wait_us"},
        {"open_hold_us", "us",
         "of a hold that has not ended at the end of the run; not in hold_us"},
    };
}

std::optional<WrittenFile> write_locks_csv(const RunReport& report,
                                           const std::filesystem::path& path) {
    OutputFile file(path);
    file.write(csv_header(locks_csv_columns()));
    for (const LockReport& lock : report.locks) {
        for (const auto& [processor, t] : lock.processors) {
            file.write(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", quoted(lock.name),
                                   hex_text(lock.address), processor, t.attempts, t.acquisitions,
                                   t.releases, us_text(t.waits.sum), us_text(t.waits.longest),
                                   us_text(t.holds.sum), us_text(t.holds.longest),
                                   us_text(t.open_wait), us_text(t.open_hold)));
        }
    }
    return file.commit();
}

}  // namespace symsim
