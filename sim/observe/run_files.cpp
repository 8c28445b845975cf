// SPDX-License-Identifier: MIT
#include "sim/observe/run_files.h"

#include <system_error>

#include "sim/base/failure.h"
#include "sim/observe/bus_csv.h"
#include "sim/observe/host_json.h"
#include "sim/observe/locks_csv.h"
#include "sim/observe/summary_json.h"
#include "sim/observe/vcd_writer.h"

namespace symsim {

std::vector<RunFile> run_files() {
    return {
        {"summary.json", "the whole run in numbers", "", "yes", summary_json_keys()},
        {"bus.csv", "the bus, a row per interval", "", "yes", bus_csv_columns()},
        {"locks.csv", "locks, a row per lock and processor", "", "yes", locks_csv_columns()},
        {"trace.vcd", "every use of the bus", "observe.vcd = true", "yes", vcd_signals()},
        {"profile.folded", "samples of the code that each processor executes", "observe.profile_us",
         "yes"},
        {"bus.log.zst", "every use of the bus, mark and state", "observe.transactions = true",
         "yes, decompressed"},
        {"trace.pftrace", "processors, threads, locks, bus and interrupts for ui.perfetto.dev",
         "observe.perfetto = true", "yes"},
        {"config.toml", "the config as resolved; reproduces the run", "", "yes"},
        {"console.txt", "what the guest printed", "", "yes"},
        {"checkpoint-TIMEus.symsim", "the state at that time", "--checkpoint-at TIME", "yes"},
        {"host.json", "the cost of the run on the host", "", "no", host_json_keys()},
    };
}

void make_run_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error || !std::filesystem::is_directory(folder)) {
        const std::string cause = error ? error.message() : "a file of that name is in the way";
        throw OutputError(
            fmt::format("cannot create the output folder {}: {}; choose another with "
                        "--out",
                        folder.string(), cause));
    }
}

void remove_old_results(const std::filesystem::path& folder) {
    for (const char* name : {"summary.json", "trace.vcd", "trace.pftrace", "profile.folded",
                             "bus.log.zst", "bus.log.zst.part", "bus.parquet", "marks.parquet",
                             "states.parquet", "transactions.csv", "marks.csv", "states.csv"}) {
        std::error_code error;
        const std::filesystem::path file = folder / name;
        if (!std::filesystem::is_regular_file(file, error)) continue;
        std::filesystem::remove(file, error);
        if (error) {
            throw OutputError(fmt::format("cannot replace {}: {}; choose another folder with --out",
                                          file.string(), error.message()));
        }
    }
}

void write_run_files(const RunReport& report, const std::filesystem::path& folder) {
    write_host_json(report, folder / "host.json");
    write_bus_csv(report, folder / "bus.csv");
    write_locks_csv(report, folder / "locks.csv");
    write_summary_json(report, folder / "summary.json");
}

}  // namespace symsim
