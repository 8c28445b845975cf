// SPDX-License-Identifier: MIT
#include "sim/observe/transaction_header.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/events/probe_point.h"
#include "sim/interconnect/transaction_kind.h"
#include "sim/observe/transaction_records.h"
#include "sim/processor/activity.h"
#include "sim/processor/processor_state.h"

namespace symsim {
namespace {

using Json = nlohmann::ordered_json;

// The version of the log's format alone. In version 1, records were stored one after the other
// instead of as planes.
constexpr int kLogVersion = 2;

template <class Record>
Json record_json(RecordType type, const char* name) {
    Json fields = Json::array();
    for_each_field(Record{}, [&](const char* field, const char* unit, auto value) {
        // Types are written as in numpy: little-endian, unsigned, number of bytes.
        fields.push_back(
            {{"name", field},
             {"type", fmt::format("<u{}", sizeof value)},
             {"unit", unit},
             {"stored", kStoredAsDifference<decltype(value)> ? "difference" : "value"}});
    });
    return {{"type", index(type)}, {"name", name}, {"fields", fields}};
}

template <class Names>
Json names_json(const Names& names) {
    Json json = Json::object();
    for (std::size_t i = 0; i < names.size(); ++i) json[std::to_string(i)] = names[i];
    return json;
}

Json probes_json() {
    Json json = Json::object();
    for (const ProbePoint& point : kProbePoints)
        json[std::to_string(index(point.kind))] = point.name;
    return json;
}

}  // namespace

std::string transaction_header(unsigned processors, unsigned resources,
                               const std::vector<NamedRange>& symbols) {
    Json ranges = Json::array();
    for (const NamedRange& range : symbols)
        ranges.push_back({range.begin, range.end, range.origin, range.name});
    const Json json = {
        {"format", "symsim transaction log"},
        {"schema_version", kLogVersion},
        {"processors", processors},
        {"blocks",
         "type <u4, number of records <u4, then the records: of bus by time, else by processor; "
         "first the first byte of each, then the second byte of each, and so on"},
        {"layout", "planes"},
        {"records",
         {resources > 1 ? record_json<ResourceUse>(RecordType::bus, "bus")
                        : record_json<BusUse>(RecordType::bus, "bus"),
          record_json<ProcessorMark>(RecordType::mark, "marks"),
          record_json<StateInterval>(RecordType::state, "states"),
          record_json<LogEnd>(RecordType::end, "end")}},
        {"no_name", kNoName},
        {"names",
         {{"kinds", names_json(kTransactionKindNames)},
          {"activities", names_json(kActivityNames)},
          {"states", names_json(kProcessorStateNames)},
          {"probes", probes_json()}}},
        {"symbols_are", "begin, end (behind the last address), address offsets count from, name"},
        {"symbols", ranges}};
    // A symbol may have any bytes. Bytes that are not UTF-8 become U+FFFD.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace symsim
