// SPDX-License-Identifier: MIT
#include "sim/run/describe.h"

#include "sim/base/exit_code.h"
#include "sim/base/json.h"
#include "sim/base/types.h"
#include "sim/config/keys.h"
#include "sim/observe/report.h"
#include "sim/observe/run_files.h"

namespace symsim {
namespace {

// An array of what make(item) returns for each item.
template <class Items, class Make>
Json list(const Items& items, Make make) {
    Json::Array json;
    for (const auto& item : items) json.push_back(make(item));
    return json;
}

Json options_json(const std::vector<OptionText>& options) {
    return list(options, [](const OptionText& option) {
        return Json::Object{{"name", option.name},
                            {"short", option.short_name},
                            {"argument", option.argument},
                            {"meaning", option.meaning}};
    });
}

Json keys_json() {
    return list(all_keys(), [](const Key& key) {
        return Json::Object{{"name", key.name},           {"unit", key.unit},
                            {"fits", what_fits(key)},     {"type", type_of(key)},
                            {"range", range_of(key)},     {"values", values_of(key)},
                            {"default", value_text(key)}, {"meaning", key.meaning}};
    });
}

Json free_keys_json() {
    return list(free_keys(), [](const FreeKey& key) {
        return Json::Object{{"name", key.name}, {"fits", key.fits}, {"meaning", key.meaning}};
    });
}

Json files_json() {
    return list(run_files(), [](const RunFile& file) {
        const Json columns = list(file.columns, [](const Column& column) {
            return Json::Object{
                {"name", column.name}, {"unit", column.unit}, {"meaning", column.meaning}};
        });
        return Json::Object{{"name", file.name},
                            {"meaning", file.meaning},
                            {"when", file.when},
                            {"same", file.same},
                            {"columns", columns}};
    });
}

template <class Names, class Meanings>
Json words_json(const Names& names, const Meanings& meanings) {
    Json::Array json;
    for (std::size_t i = 0; i < names.size(); ++i)
        json.push_back(Json::Object{{"name", names[i]}, {"meaning", meanings[i]}});
    return json;
}

Json probes_json() {
    return list(kProbePoints, [](const ProbePoint& point) {
        return Json::Object{{"name", point.name},
                            {"number", index(point.kind)},
                            {"operand", point.operand},
                            {"meaning", point.meaning}};
    });
}

Json exit_codes_json() {
    return list(kExitCodes, [](const ExitCode& exit) {
        return Json::Object{{"code", static_cast<int>(exit.code)},
                            {"meaning", exit.meaning},
                            {"files", exit.files}};
    });
}

}  // namespace

std::string describe(const Usage& usage) {
    const Json json =
        Json::Object{{"version", SYMSIM_VERSION},
                     {"schema_version", kSchemaVersion},
                     {"synopsis", usage.synopsis},
                     {"summary", usage.summary},
                     {"example", usage.example},
                     {"options", options_json(usage.options)},
                     {"keys", keys_json()},
                     {"free_keys", free_keys_json()},
                     {"files", files_json()},
                     {"statuses", words_json(kRunStatusNames, kRunStatusMeanings)},
                     {"states", words_json(kProcessorStateNames, kProcessorStateMeanings)},
                     {"activities", words_json(kActivityNames, kActivityMeanings)},
                     {"kinds", words_json(kTransactionKindNames, kTransactionKindMeanings)},
                     {"probes", probes_json()},
                     {"exit_codes", exit_codes_json()}};
    return json.text(2) + "\n";
}

}  // namespace symsim
