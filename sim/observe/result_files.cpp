// SPDX-License-Identifier: MIT
#include "sim/observe/result_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/observe/run_files.h"
#include "sim/observe/table.h"

namespace symsim {
namespace {

const Table<WrittenFile> kFile = {
    {"name", "", "of a result file in this folder; all but host.json, sorted", &WrittenFile::name},
    {"size_bytes", "bytes", "its size", &WrittenFile::bytes},
    {"sha256", "", "SHA-256 of its contents, as sha256sum prints it", &WrittenFile::sha256},
};

const Table<RunReport> kManifest = {
    {"schema_version", "", "as in summary.json", [](const RunReport&) { return kSchemaVersion; }},
    {"status", "", "as in summary.json", [](auto& r) { return name(r.status); }},
};

// Lists the files in the order of their names.
std::string manifest_json(const RunReport& report, std::vector<WrittenFile> files) {
    std::sort(files.begin(), files.end(),
              [](const auto& one, const auto& other) { return one.name < other.name; });
    Json json = object(kManifest, report, report);
    json["files"] = list(kFile, report, files);
    return json.text(2) + "\n";
}

}  // namespace

Columns manifest_json_keys() {
    Table<RunReport> table = kManifest;
    describe_parts(table, "files[]", kFile);
    return columns(table);
}

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

void ResultFiles::finish(const RunReport& report) {
    const char* const manifest = "manifest.json";
    if (!failed())
        save(manifest, [&](const std::filesystem::path& path) {
            return write_file(path, manifest_json(report, files_));
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
