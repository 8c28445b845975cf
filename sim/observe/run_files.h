// SPDX-License-Identifier: MIT
// The files of a run's folder: their names, what becomes of those of an earlier run, and how they
// are saved. If one cannot be written, the others are saved nevertheless.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/failure.h"
#include "sim/observe/output_file.h"
#include "sim/observe/report.h"
#include "sim/observe/table.h"

namespace symsim {

// A file that a run leaves in its folder.
struct RunFile {
    std::string name;
    std::string meaning;
    std::string when;             // the option that requests it; empty: always written
    std::string same;             // whether its bytes are the same on every host and engine
    Condition only_if = nullptr;  // `when` in code, for a file that write() makes
    Columns columns = {};
    // Makes the file from the report. Null: another part writes it, during the run or at its end.
    std::function<std::optional<WrittenFile>(const RunReport&, const std::filesystem::path&)>
        write = nullptr;
};
// docs/reference is generated from it.
const std::vector<RunFile>& run_files();
// Which kind of machine some of them need.
constexpr const char* kOnSeveralNodes = "machine.interconnect = nodes, several of them";

// A file that the run reads. `what` names it in messages: "guest.stdin".
struct RunInput {
    std::string what;
    std::filesystem::path path;
};

// Throws UserError if a run into this folder would write over one of its inputs, or would remove
// it as a file of an earlier run.
void check_inputs(const std::filesystem::path& folder, const std::vector<RunInput>& inputs);

// Creates the folder if it does not exist. Throws OutputError.
void make_run_folder(const std::filesystem::path& folder);
// Removes what an earlier run has left in the folder, also partial files, and what symlab derived
// from it. Other files stay, and so do devices and pipes that have the name of a result file.
// Called before the new run begins. Throws OutputError.
void remove_old_results(const std::filesystem::path& folder);

class ResultFiles {
  public:
    explicit ResultFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

    using Save = std::function<std::optional<WrittenFile>(const std::filesystem::path&)>;
    // Calls `save` with the path of the file `name`. An OutputError is kept for finish().
    void save(const std::string& name, const Save& save);
    // A file could not be written. If it is one that grows with the run, the run should end.
    bool failed() const { return error_.has_value(); }

    // Throws OutputError if a file could not be written.
    void check() const;
    // The last step: writes manifest.json if all files have been saved. Otherwise throws
    // OutputError, which names the first cause and all missing files.
    void finish(const RunReport& report);

  private:
    std::filesystem::path folder_;
    std::vector<WrittenFile> files_;
    std::optional<OutputError> error_;  // the first
    std::vector<std::string> missing_;
};

}  // namespace symsim
