// SPDX-License-Identifier: MIT
// Saves the files of a run. If one cannot be written, the others are saved nevertheless. finish()
// then says which are missing, or writes manifest.json: size and SHA-256 of each file. Where it is,
// all others are complete. It is the same byte for byte on every host: host.json is not in it.
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

Columns manifest_json_keys();

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
