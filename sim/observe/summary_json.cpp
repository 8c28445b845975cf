// SPDX-License-Identifier: MIT
#include "sim/observe/result_tables.h"
#include "sim/observe/trace_kinds.h"

namespace symsim {
namespace {

const Table<RunReport> kRun = {
    {"schema_version", "",
     "version of all files of the folder except bus.log.zst, which has its own; increases when a "
     "key or column is removed or changes its meaning",
     [](const RunReport&) { return kSchemaVersion; }},
    {"status", "", "how the run ended: one of the statuses",
     [](auto& r) { return name(r.status); }},
    {"partial", "",
     "true if the guest did not reach its end; all numbers are correct up to simulated_us",
     &RunReport::partial},
    {"simulated_us", "us", "simulated time from reset to the end", &RunReport::end},
    {"instructions", "count", "executed by all processors", &RunReport::all_instructions},
};

const Table<TraceReport> kTrace = {
    {"file", "", "its name", &TraceReport::file},
    {"complete", "", "false if it reached its size limit, or could not be written and is missing",
     &TraceReport::complete},
    {"from_us", "us", "where observe.window begins; nothing earlier is in it", &TraceReport::from},
    {"until_us", "us", "nothing later is in it", &TraceReport::until},
};

// A JSON number or truth value if the text is one, else the text as a string.
Json value_of(const std::string& text) {
    const std::optional<Json> value = parse_json(text);
    const bool is_one = value && !std::holds_alternative<std::nullptr_t>(value->value()) &&
                        !value->array() && !value->object();
    return is_one ? *value : Json(text);
}

Table<RunReport> make_table() {
    Table<RunReport> table = kRun;
    add_processors_and_bus(table);
    add_misses(table);
    add_locks(table);
    add_processes(table);
    add_linux(table);
    add_regions(table);
    add_guest(table);
    for (const TraceKind& trace : trace_kinds()) {
        table.push_back({trace.key, "", "null, or what is in " + trace.file.name,
                         [file = trace.file.name](const RunReport& r) {
                             const TraceReport* const trace = r.trace(file);
                             return trace ? object(kTrace, r, *trace) : Json();
                         }});
        describe_parts(table, trace.key, kTrace);
    }
    table.push_back({"config", "", "every key of the resolved config except run.engine",
                     [](auto& r) { return values_of(r.config); }});
    table.push_back({"config.KEY", "the key's", "its value: \"machine.processors\": 8"});
    return table;
}

}  // namespace

Json values_of(const std::vector<std::pair<std::string, std::string>>& texts) {
    Json::Object values;
    for (const auto& [name, text] : texts) values.emplace_back(name, value_of(text));
    return values;
}

const Table<RunReport>& summary_table() {
    static const Table<RunReport> table = make_table();
    return table;
}

std::string summary_json(const RunReport& report) {
    return object(summary_table(), report, report).text(2) + "\n";
}

std::size_t summary_room(unsigned processors) {
    constexpr std::size_t kForAll = 96 << 10, kForEach = 4 << 10;
    return kForAll + processors * kForEach;
}

}  // namespace symsim
