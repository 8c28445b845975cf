// SPDX-License-Identifier: MIT
#include "sim/observe/table.h"

#include "sim/base/activity.h"
#include "sim/base/processor_state.h"
#include "sim/base/text.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"
#include "sim/observe/numbers.h"

namespace symsim {
namespace {

constexpr double kMillion = 1e6;

// `text` without its end, if that is `end`.
std::string_view without(std::string_view text, std::string_view end) {
    const bool has = text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
    return has ? text.substr(0, text.size() - end.size()) : text;
}

// The names that each of `all` stands for: `word` replaced by each of `names`, or just itself
// without it.
template <class Names>
std::vector<std::string> each(const std::vector<std::string>& all, const std::string& word,
                              const Names& names) {
    std::vector<std::string> result;
    for (const std::string& name : all) {
        const std::size_t at = name.find(word);
        if (at == std::string::npos)
            result.push_back(name);
        else
            for (const auto& instance : names)
                result.push_back(std::string(name).replace(at, word.size(), instance));
    }
    return result;
}

std::vector<std::string> expanded(const std::string& name, unsigned nodes) {
    std::vector<std::string> numbers;
    for (unsigned node = 0; node < nodes; ++node) numbers.push_back(std::to_string(node));
    return each(each(each(each({name}, "ACTIVITY", kActivityNames), "KIND", kTransactionKindNames),
                     "STATE", kProcessorStateNames),
                "NODE", numbers);
}

// Calls visit() with each value that is not an array, in their order.
template <class Visit>
void for_each_value(const Json& value, const Visit& visit) {
    if (const Json::Array* const values = value.array())
        for (const Json& one : *values) for_each_value(one, visit);
    else
        visit(value);
}

// Up to 2^53 ps (2.5 simulated hours) to_us() is precise enough that the shortest decimal which
// reads back as the same double is the exact value.
Json in_unit(const std::string& unit, const Json& value) {
    const auto* const number = std::get_if<std::int64_t>(&value.value());
    if (number && unit == "us") return to_us(*number);
    if (number && unit == "ratio") return static_cast<double>(*number) / kMillion;
    return value;
}

}  // namespace

bool has_nodes(const RunReport& report) {
    return report.distance.has_value();
}

bool has_processes(const RunReport& report) {
    return !report.processes.empty();
}

bool has_calls(const RunReport& report) {
    return report.calls.has_value();
}

bool has_spaces(const RunReport& report) {
    return !report.spaces.empty();
}

Json empty_object(const RunReport&) {
    return Json::Object();
}

void enter(Json& object, const Column& entry, const Json& value) {
    const std::string path(without(without(entry.name, "[]"), ".NAME"));
    const std::vector<std::string> names = expanded(path, 0);
    if (path != entry.name || (names.size() == 1 && names[0] == path)) {
        object[path] = in_unit(entry.unit, value);
        return;
    }
    auto name = names.begin();
    for_each_value(value, [&](const Json& one) { object[*name++] = in_unit(entry.unit, one); });
}

std::string csv_header(const Columns& columns, unsigned nodes) {
    std::string line;
    for (const Column& column : columns)
        for (const std::string& name : expanded(column.name, nodes))
            line += (line.empty() ? "" : ",") + name;
    return line + "\n";
}

void add_fields(std::string& line, const std::string& unit, const Json& value) {
    std::array<char, kNumberBytes> text;
    const auto add = [&](const char* end) {
        line.append(text.data(), static_cast<std::size_t>(end - text.data()));
    };
    const bool ratio = unit == "ratio", time = unit == "us";
    for_each_value(value, [&](const Json& one) {
        const auto* const number = std::get_if<std::int64_t>(&one.value());
        if (number && ratio)
            add(put_millionths(text.data(), *number));
        else if (number && time)
            add(put_us(text.data(), *number));
        else if (const auto* const count = std::get_if<std::uint64_t>(&one.value()))
            add(put_count(text.data(), *count));
        else if (const auto* const words = one.string())
            line += csv_field(*words);
        else if (!std::holds_alternative<std::nullptr_t>(one.value()))
            line += one.text();
        line += ',';
    });
}

std::string csv_field(const std::string& bytes) {
    std::string text = utf8(bytes);
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"') result += '"';
        result += c;
    }
    return result + "\"";
}

}  // namespace symsim
