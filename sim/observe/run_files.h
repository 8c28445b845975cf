// SPDX-License-Identifier: MIT
// The measured files of a run: host.json, bus.csv, locks.csv and, last, summary.json. Whoever
// finds a summary finds a whole run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/observe/column.h"
#include "sim/observe/report.h"

namespace symsim {

// A file that a run leaves.
struct RunFile {
    std::string name;
    std::string meaning;
    std::string when;  // what asks for it; empty: always there
    std::string same;  // whether its bytes are the same on every host and engine
    Columns columns = {};
};
std::vector<RunFile> run_files();

// Creates the folder if it is not there. Throws OutputError.
void make_run_folder(const std::filesystem::path& folder);
// Takes away summary and traces of an earlier run in the same folder, and what symlab has made of
// them, before the new one begins.
void remove_old_results(const std::filesystem::path& folder);
void write_run_files(const RunReport& report, const std::filesystem::path& folder);

}  // namespace symsim
