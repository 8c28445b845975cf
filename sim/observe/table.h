// SPDX-License-Identifier: MIT
// A table has the columns of a CSV file, or the keys of a JSON object, one entry each: name, unit,
// meaning, and how to get the value. Header and rows, the JSON, --describe and
// docs/reference/options-and-keys.md are all made from it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/base/json.h"
#include "sim/observe/report.h"

namespace symsim {

// What --describe says of an entry.
struct Column {
    // Of a JSON key its path: "guest.image". "locks[]" is an array; "results.NAME" is an object
    // with any names. ACTIVITY, KIND, STATE and NODE stand for one column or key per activity,
    // transaction kind, processor state or node.
    std::string name;
    std::string unit;  // empty: none
    std::string meaning;
};
using Columns = std::vector<Column>;

using Condition = std::function<bool(const RunReport&)>;
bool has_nodes(const RunReport& report);  // several
bool has_processes(const RunReport& report);
bool has_calls(const RunReport& report);
bool has_spaces(const RunReport& report);

template <class Row>
struct Field {
    std::string name, unit, meaning;  // as in Column
    // A signed number of the unit "us" is a Time, one of "ratio" is in millionths; all else is
    // written as it is. Where ACTIVITY and so on are in the name: an array of the values, of arrays
    // if there are two. Null: the entry only describes a part of another's value.
    std::function<Json(const Row&)> value = nullptr;
    Condition only_if = nullptr;  // else the column or key is absent
};
template <class Row>
using Table = std::vector<Field<Row>>;

template <class Row>
Columns columns(const Table<Row>& table) {
    Columns all;
    for (const Field<Row>& field : table) all.push_back({field.name, field.unit, field.meaning});
    return all;
}

// Adds the entries with `before` in front of their names. `only_if`: of those that have none.
template <class Row>
void add(Table<Row>& table, const std::string& before, const Table<Row>& more,
         Condition only_if = nullptr) {
    for (const Field<Row>& f : more)
        table.push_back(
            {before + f.name, f.unit, f.meaning, f.value, f.only_if ? f.only_if : only_if});
}

// Adds an entry for each name: before + name + after. `meaning(i)` is its meaning, and values(row)
// an array of the values.
template <class Row, class Names, class Meaning, class Values>
void add_each(Table<Row>& table, const std::string& before, const Names& names,
              const std::string& after, const std::string& unit, Meaning meaning, Values values,
              Condition only_if = nullptr) {
    for (std::size_t i = 0; i < names.size(); ++i)
        table.push_back({before + std::string(names[i]) + after, unit, std::string(meaning(i)),
                         [values, i](const Row& row) { return Json(values(row)[i]); }, only_if});
}

// Adds descriptions of the parts of a value: of an object `before`, or of the items of an array.
template <class Row, class Part>
void describe_parts(Table<Row>& table, const std::string& before, const Table<Part>& parts) {
    for (const Field<Part>& part : parts)
        table.push_back({before + "." + part.name, part.unit, part.meaning});
}

// Adds an array of objects: its entry, and the description of its items.
template <class Row, class Item>
void add_list(Table<Row>& table, Field<Row> entry, const Table<Item>& items) {
    const std::string name = entry.name;
    table.push_back(std::move(entry));
    describe_parts(table, name, items);
}

// The value of an entry whose object is made of later entries: their names begin with its name.
Json empty_object(const RunReport&);

// Enters the value of an entry in the object.
void enter(Json& object, const Column& entry, const Json& value);

template <class Row>
Json object(const Table<Row>& table, const RunReport& report, const Row& row) {
    Json json = Json::Object();
    for (const Field<Row>& f : table)
        if (f.value && (!f.only_if || f.only_if(report)))
            enter(json, {f.name, f.unit, {}}, f.value(row));
    return json;
}

template <class Row, class Rows>
Json list(const Table<Row>& table, const RunReport& report, const Rows& rows) {
    Json::Array all;
    for (const Row& row : rows) all.push_back(object(table, report, row));
    return all;
}

// The header of a CSV file: the names of the columns, with a newline.
std::string csv_header(const Columns& columns, unsigned nodes = 0);
// Adds the fields of a column to a line, each with a comma after it.
void add_fields(std::string& line, const std::string& unit, const Json& value);
// A field of a CSV file: UTF-8, quoted as in RFC 4180 if it must be. Symbols of languages other
// than C may contain commas and quotes.
std::string csv_field(const std::string& bytes);

}  // namespace symsim
