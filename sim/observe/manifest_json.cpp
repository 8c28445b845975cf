// SPDX-License-Identifier: MIT
#include "sim/observe/manifest_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace symsim {

Columns manifest_json_keys() {
    return {
        {"schema_version", "", "as in summary.json"},
        {"status", "", "as in summary.json"},
        {"files[].name", "", "of a result file in this folder; all but host.json, sorted"},
        {"files[].size_bytes", "bytes", "its size"},
        {"files[].sha256", "", "SHA-256 of its contents, as sha256sum prints it"},
    };
}

std::string manifest_json(RunStatus status, std::vector<WrittenFile> files) {
    using Json = nlohmann::ordered_json;
    std::sort(files.begin(), files.end(),
              [](const auto& one, const auto& other) { return one.name < other.name; });
    Json json = {{"schema_version", kSchemaVersion}, {"status", name(status)}};
    json["files"] = Json::array();
    for (const WrittenFile& file : files)
        json["files"].push_back(
            {{"name", file.name}, {"size_bytes", file.bytes}, {"sha256", file.sha256}});
    return json.dump(2) + "\n";
}

}  // namespace symsim
