// SPDX-License-Identifier: MIT
#include "sim/observe/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include "sim/base/failure.h"
#include "sim/base/json.h"
#include "sim/observe/host_clock.h"
#include "sim/observe/result_tables.h"
#include "sim/observe/table.h"
#include "sim/observe/trace_kinds.h"

namespace symsim {

namespace fs = std::filesystem;

namespace {

// The files that symlab makes from those of a run: `report` (also of two runs compared), `fst`,
// `transactions`, and a sweep's record of its run. NAME: any text.
constexpr std::array<const char*, 10> kDerivedFiles = {
    "report.html",    "compared-with-NAME.html", "trace.fst", "bus.parquet", "marks.parquet",
    "states.parquet", "transactions.csv",        "marks.csv", "states.csv",  "point.json"};

constexpr const char* kManifestName = "manifest.json";
constexpr std::string_view kGuestFiles = "files/";  // the folder of the guest's files

// Whether `name` is `pattern` with any text in place of NAME.
bool matches(std::string_view name, std::string_view pattern) {
    constexpr std::string_view kName = "NAME";
    const std::size_t at = pattern.find(kName);
    if (at == std::string_view::npos) return name == pattern;
    const std::string_view before = pattern.substr(0, at);
    const std::string_view after = pattern.substr(at + kName.size());
    return name.size() > before.size() + after.size() && name.substr(0, before.size()) == before &&
           name.substr(name.size() - after.size()) == after;
}

// A file that a run writes or that symlab derives from it, whole or partial.
bool is_result(std::string name) {
    constexpr std::string_view kPart = ".part";
    if (name.size() > kPart.size() && name.substr(name.size() - kPart.size()) == kPart)
        name.resize(name.size() - kPart.size());
    const std::vector<RunFile>& files = run_files();
    return std::any_of(files.begin(), files.end(),
                       [&](const RunFile& file) { return matches(name, file.name); }) ||
           std::any_of(kDerivedFiles.begin(), kDerivedFiles.end(),
                       [&](const char* file) { return matches(name, file); });
}

// Whether a run would remove the file. A result file may also be a device or a pipe, into which
// the run then writes. Of a partial file, nothing but a folder stays: it is opened, not renamed to.
bool is_removable(const fs::directory_entry& entry) {
    std::error_code error;
    if (entry.path().extension() == ".part") return !fs::is_directory(entry.symlink_status(error));
    return entry.is_regular_file(error) || !entry.exists(error);
}

// The guest's files in the folder are those that the manifest of their run lists.
std::vector<fs::directory_entry> guest_files_in(const fs::path& folder) {
    std::vector<fs::directory_entry> found;
    std::ifstream in(folder / kManifestName);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    Json manifest = parse_json(text).value_or(Json());
    const Json::Array* const files = manifest["files"].array();
    for (std::size_t i = 0; files != nullptr && i < files->size(); ++i) {
        Json file = (*files)[i];
        const std::string* const name = file["name"].string();
        if (name == nullptr) continue;
        const fs::path path = fs::path(*name).lexically_normal();
        std::error_code error;
        if (path.string().rfind(kGuestFiles, 0) == 0 && fs::exists(folder / path, error))
            found.emplace_back(folder / path, error);
    }
    return found;
}

// The results that are in the folder; none if there is no such folder.
std::vector<fs::directory_entry> results_in(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::directory_entry> found = guest_files_in(folder);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (is_result(entry.path().filename().string())) found.push_back(entry);
    std::sort(found.begin(), found.end());
    return found;
}

// By device and inode, so that links are seen.
bool is_same_file(const fs::path& one, const fs::path& other) {
    std::error_code error;
    return fs::equivalent(one, other, error);
}

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

Columns manifest_json_keys() {
    Table<RunReport> table = kManifest;
    describe_parts(table, "files[]", kFile);
    return columns(table);
}

// Whether manifest.json lists the file: one that the host determines is not in it.
bool is_in_manifest(const std::string& name) {
    const std::vector<RunFile>& files = run_files();
    return std::any_of(files.begin(), files.end(), [&](const RunFile& file) {
        return matches(name, file.name) && file.same != "no";
    });
}

}  // namespace

const std::vector<RunFile>& run_files() {
    static const std::vector<RunFile> files = [] {
        std::vector<RunFile> all = {{"summary.json", "the whole run in numbers", "", "yes", nullptr,
                                     columns(summary_table())},
                                    bus_csv(),
                                    locks_csv(),
                                    misses_csv(),
                                    pages_csv(),
                                    links_csv(),
                                    processes_csv(),
                                    calls_csv(),
                                    spaces_csv()};
        for (const TraceKind& trace : trace_kinds()) all.push_back(trace.file);
        all.push_back({"profile.folded", "samples of the code that each processor executes",
                       "observe.profile_us", "yes"});
        all.push_back({"config.toml", "the config as resolved; reproduces the run", "", "yes"});
        all.push_back({"console.txt", "what the guest printed", "", "yes"});
        all.push_back({std::string(kGuestFiles) + "NAME",
                       "each file that a Linux program has created or changed",
                       "guest.image = a Linux program", "yes"});
        all.push_back(host_json());
        all.push_back({kManifestName, "size and SHA-256 of each file; written last", "",
                       "yes, with the same zstd", nullptr, manifest_json_keys()});
        return all;
    }();
    return files;
}

void check_inputs(const fs::path& folder, const std::vector<RunInput>& inputs) {
    for (const fs::directory_entry& entry : results_in(folder)) {
        for (const RunInput& input : inputs) {
            if (!is_same_file(entry.path(), input.path)) continue;
            throw UserError(
                fmt::format("{}: this is an input of the run ({} {}), and the run would replace "
                            "or remove it; choose another folder with --out",
                            entry.path().string(), input.what, input.path.string()));
        }
    }
}

void make_run_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder)) {
        std::error_code unknown;
        const std::string cause = fs::is_regular_file(folder, unknown)
                                      ? "it is a file, and the results need a folder"
                                      : error.message();
        throw OutputError(
            fmt::format("cannot create the output folder {}: {}; choose another with "
                        "--out",
                        folder.string(), cause));
    }
}

void remove_old_results(const fs::path& folder) {
    for (const fs::directory_entry& entry : results_in(folder)) {
        if (!is_removable(entry)) continue;
        std::error_code error;
        fs::remove(entry.path(), error);
        if (error) {
            throw OutputError(fmt::format("cannot replace {}: {}; choose another folder with --out",
                                          entry.path().string(), error.message()));
        }
        for (fs::path at = entry.path().parent_path(); at != folder; at = at.parent_path())
            if (!fs::remove(at, error)) break;  // a folder with other files
    }
}

void ResultFiles::save(const std::string& name, const Save& save) {
    try {
        std::optional<WrittenFile> written = save(folder_ / name);
        if (written) written->name = name;  // which may have folders
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
    if (!failed())
        save(kManifestName, [&](const std::filesystem::path& path) {
            return write_file(path, manifest_json(report, files_));
        });
    else
        missing_.push_back(kManifestName);
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
