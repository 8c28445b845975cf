// SPDX-License-Identifier: MIT
#include "sim/observe/result_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/observe/manifest_json.h"
#include "sim/observe/run_files.h"

namespace symsim {

void ResultFiles::save(const std::string& name, const Save& save) {
    try {
        const std::optional<WrittenFile> written = save(folder_ / name);
        // A file that is saved a second time replaces the first.
        files_.erase(std::remove_if(files_.begin(), files_.end(),
                                    [&](const WrittenFile& file) { return file.name == name; }),
                     files_.end());
        if (written && is_in_manifest(name)) files_.push_back(*written);
    } catch (const OutputError& error) {
        if (!error_) error_ = error;
        missing_.push_back(name);
    }
}

void ResultFiles::finish(RunStatus status) {
    const char* const manifest = "manifest.json";
    if (!failed())
        save(manifest, [&](const std::filesystem::path& path) {
            return write_file(path, manifest_json(status, files_));
        });
    else
        missing_.push_back(manifest);
    check();
}

void ResultFiles::check() const {
    if (!failed()) return;
    std::string names;
    for (const std::string& name : missing_) names += (names.empty() ? "" : ", ") + name;
    throw OutputError(fmt::format("{}\n  missing: {}; all other files of the run are complete",
                                  error_->what(), names));
}

}  // namespace symsim
