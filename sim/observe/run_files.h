// SPDX-License-Identifier: MIT
// Writes the measured files of a run: host.json, bus.csv, locks.csv and summary.json. summary.json
// is written last: where it exists, the other files are complete.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/observe/column.h"
#include "sim/observe/report.h"

namespace symsim {

// Describes a file that a run leaves in its folder; docs/reference is generated from it.
struct RunFile {
    std::string name;
    std::string meaning;
    std::string when;  // the option that requests it; empty: always written
    std::string same;  // whether its bytes are the same on every host and engine
    Columns columns = {};
};
std::vector<RunFile> run_files();

// Creates the folder if it does not exist. Throws OutputError.
void make_run_folder(const std::filesystem::path& folder);
// Removes the summary and the traces of an earlier run from the folder, and the tables that symlab
// made from them. Called before the new run begins. Throws OutputError.
void remove_old_results(const std::filesystem::path& folder);
// Throws OutputError.
void write_run_files(const RunReport& report, const std::filesystem::path& folder);

}  // namespace symsim
