// SPDX-License-Identifier: MIT
// A table has the columns of a CSV file, or the keys of a JSON object, one entry each: name, unit,
// meaning, and how to get the value. Header and rows, the JSON, --describe and
// docs/reference/options-and-keys.md are all made from it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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
inline bool has_nodes(const RunReport& report) {  // several
    return report.distance.has_value();
}
inline bool has_processes(const RunReport& report) {
    return !report.processes.empty();
}
inline bool has_calls(const RunReport& report) {
    return report.calls.has_value();
}
inline bool has_linux(const RunReport& report) {
    return report.linux.has_value();
}
inline bool has_spaces(const RunReport& report) {
    return !report.spaces.empty();
}

// How a number is written: as it is, as a time in us, or as a ratio.
enum class Scale : std::uint8_t { one, us, ratio };
Scale scale_of(const std::string& unit);

// Takes the values of an entry, one after the other.
class EntryWriter {
  public:
    virtual ~EntryWriter() = default;
    // Signed numbers of the scale us are Times, those of ratio are in millionths. All else is
    // written as it is.
    virtual void numbers(const std::int64_t* first, std::size_t count) = 0;
    virtual void number(std::uint64_t number) = 0;
    virtual void other(const Json& value) = 0;

    template <class T>
    void put(const T& value) {
        if constexpr (!std::is_integral_v<T> || std::is_same_v<T, bool>)
            put(Json(value));
        else if constexpr (std::is_signed_v<T>)
            put(std::array<std::int64_t, 1>{value});
        else
            number(value);
    }
    template <std::size_t n>
    void put(const std::array<std::int64_t, n>& values) {
        numbers(values.data(), n);
    }
    template <class T, std::size_t n>
    void put(const std::array<T, n>& values) {
        for (const T& value : values) put(value);
    }
    void put(const std::vector<std::uint64_t>& values) {
        for (const std::uint64_t value : values) number(value);
    }
    void put(const Json& value);
    // How the next values are written.
    void set(Scale scale) { scale_ = scale; }

  protected:
    Scale scale_ = Scale::one;
};

template <class Row>
struct Field : Column {
    // The entry only describes a part of another's value.
    Field(std::string name, std::string unit, std::string meaning)
        : Column{std::move(name), std::move(unit), std::move(meaning)} {}
    // `get`: a member of Row or a function of it. Where ACTIVITY and so on are in the name, it is
    // an array of the values, of arrays if there are two.
    template <class Get>
    Field(std::string name, std::string unit, std::string meaning, Get get,
          const Condition& only_if = nullptr)
        : Field(std::move(name), std::move(unit), std::move(meaning)) {
        put = [get](const Row& row, EntryWriter& values) { values.put(std::invoke(get, row)); };
        this->only_if = only_if;
    }

    std::function<void(const Row&, EntryWriter&)> put =
        nullptr;                  // null: it has no value of its own
    Condition only_if = nullptr;  // else the column or key is absent
};
template <class Row>
using Table = std::vector<Field<Row>>;

template <class Row>
Columns columns(const Table<Row>& table) {
    return Columns(table.begin(), table.end());
}

// Adds the entries with `before` in front of their names. `only_if`: of those that have none.
template <class Row>
void add(Table<Row>& table, const std::string& before, const Table<Row>& more,
         const Condition& only_if = nullptr) {
    for (const Field<Row>& f : more) {
        table.push_back(f);
        table.back().name = before + f.name;
        if (!f.only_if) table.back().only_if = only_if;
    }
}

// Adds the entries of a part of the row, but for those of these names.
template <class Row, class Part, class Get>
void add_part(Table<Row>& table, const Table<Part>& entries, Get part,
              const std::set<std::string>& but_for = {}) {
    for (const Field<Part>& f : entries) {
        if (but_for.count(f.name) > 0) continue;
        table.emplace_back(f.name, f.unit, f.meaning);
        table.back().only_if = f.only_if;
        table.back().put = [part, put = f.put](const Row& row, EntryWriter& values) {
            put(std::invoke(part, row), values);
        };
    }
}

// Adds an entry for each name: before + name + after. `meaning(i)` is its meaning, and values(row)
// an array of the values.
template <class Row, class Names, class Meaning, class Get>
void add_each(Table<Row>& table, const std::string& before, const Names& names,
              const std::string& after, const std::string& unit, Meaning meaning, Get values,
              Condition only_if = nullptr) {
    for (std::size_t i = 0; i < names.size(); ++i)
        table.push_back({before + std::string(names[i]) + after, unit, std::string(meaning(i)),
                         [values, i](const Row& row) { return values(row)[i]; }, only_if});
}

// Adds descriptions of the parts of a value: of an object `before`, or of the items of an array.
template <class Row, class Part>
void describe_parts(Table<Row>& table, const std::string& before, const Table<Part>& parts) {
    for (const Field<Part>& part : parts)
        table.push_back({before + "." + part.name, part.unit, part.meaning});
}

// The value of an entry whose object is made of later entries: their names begin with its name.
Json empty_object(const RunReport&);

// Enters the values of an entry in an object.
class ObjectEntry final : public EntryWriter {
  public:
    ObjectEntry(Json& object, const std::string& name, const std::string& unit);
    void numbers(const std::int64_t* first, std::size_t count) override;
    void number(std::uint64_t number) override { other(number); }
    void other(const Json& value) override { object_[names_.at(entered_++)] = value; }

  private:
    Json& object_;
    std::vector<std::string> names_;
    std::size_t entered_ = 0;
};

template <class Row>
Json object(const Table<Row>& table, const RunReport& report, const Row& row) {
    Json json = Json::Object();
    for (const Field<Row>& f : table) {
        if (!f.put || (f.only_if && !f.only_if(report))) continue;
        ObjectEntry entry(json, f.name, f.unit);
        f.put(row, entry);
    }
    return json;
}

template <class Row, class Rows>
Json list(const Table<Row>& table, const RunReport& report, const Rows& rows) {
    Json::Array all;
    for (const Row& row : rows) all.push_back(object(table, report, row));
    return all;
}

// Adds an array of objects, one for each that get(report) returns: its entry, and the description
// of its items.
template <class Item, class Get>
void add_list(Table<RunReport>& table, const std::string& name, const std::string& meaning,
              const Table<Item>& items, Get get, Condition only_if = nullptr) {
    const auto value = [items, get](const RunReport& report) {
        return list(items, report, std::invoke(get, report));
    };
    table.push_back({name, "", meaning, value, only_if});
    describe_parts(table, name, items);
}

// The header of a CSV file: the names of the columns, with a newline.
std::string csv_header(const Columns& columns, unsigned nodes = 0);

// A line of a CSV file. Numbers are written right into it: bus.csv has many.
class CsvLine final : public EntryWriter {
  public:
    void numbers(const std::int64_t* first, std::size_t count) override;
    void number(std::uint64_t number) override;
    void other(const Json& value) override;
    // The line, with a newline. The next value begins another.
    std::string_view take();

  private:
    // Where the next field begins. There is room for `bytes` and for the comma behind it.
    char* room(std::size_t bytes) {
        if (used_ + bytes >= text_.size()) grow(bytes);
        return text_.data() + used_;
    }
    void grow(std::size_t bytes);
    void end_field(char* end);

    std::string text_;      // the line, and room behind it
    std::size_t used_ = 0;  // bytes of the line
};

}  // namespace symsim
