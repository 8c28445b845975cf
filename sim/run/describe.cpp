// SPDX-License-Identifier: MIT
#include "sim/run/describe.h"

#include "sim/base/exit_code.h"
#include "sim/base/json.h"
#include "sim/base/observer.h"
#include "sim/base/types.h"
#include "sim/config/keys.h"
#include "sim/observe/report.h"
#include "sim/observe/run_files.h"

namespace symsim {
namespace {

Json options_json(const std::vector<OptionText>& options) {
    Json::Array json;
    for (const OptionText& option : options)
        json.push_back(Json::Object{{"name", option.name},
                                    {"short", option.short_name},
                                    {"argument", option.argument},
                                    {"meaning", option.meaning}});
    return json;
}

Json keys_json() {
    Json::Array json;
    for (const Key& key : all_keys())
        json.push_back(Json::Object{{"name", key.name},
                                    {"unit", key.unit},
                                    {"fits", what_fits(key)},
                                    {"values", values_of(key)},
                                    {"default", value_text(key)},
                                    {"meaning", key.meaning}});
    return json;
}

Json free_keys_json() {
    Json::Array json;
    for (const FreeKey& key : free_keys())
        json.push_back(
            Json::Object{{"name", key.name}, {"fits", key.fits}, {"meaning", key.meaning}});
    return json;
}

Json files_json() {
    Json::Array json;
    for (const RunFile& file : run_files()) {
        Json::Array columns;
        for (const Column& column : file.columns)
            columns.push_back(Json::Object{
                {"name", column.name}, {"unit", column.unit}, {"meaning", column.meaning}});
        json.push_back(Json::Object{{"name", file.name},
                                    {"meaning", file.meaning},
                                    {"when", file.when},
                                    {"same", file.same},
                                    {"columns", columns}});
    }
    return json;
}

template <class Names, class Meanings>
Json words_json(const Names& names, const Meanings& meanings) {
    Json::Array json;
    for (std::size_t i = 0; i < names.size(); ++i)
        json.push_back(Json::Object{{"name", names[i]}, {"meaning", meanings[i]}});
    return json;
}

Json probes_json() {
    Json::Array json;
    for (const ProbePoint& point : kProbePoints)
        json.push_back(Json::Object{{"name", point.name},
                                    {"number", index(point.kind)},
                                    {"operand", point.operand},
                                    {"meaning", point.meaning}});
    return json;
}

Json exit_codes_json() {
    Json::Array json;
    for (const ExitCode& exit : kExitCodes)
        json.push_back(Json::Object{{"code", static_cast<int>(exit.code)},
                                    {"meaning", exit.meaning},
                                    {"files", exit.files}});
    return json;
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
