// SPDX-License-Identifier: MIT
#include "sim/observe/table.h"

#include <algorithm>

#include "sim/base/activity.h"
#include "sim/base/text.h"
#include "sim/base/transaction_kind.h"
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

// A field of a CSV file: UTF-8, quoted as in RFC 4180 if it must be. Symbols of languages other
// than C may contain commas and quotes.
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

}  // namespace

Json empty_object(const RunReport&) {
    return Json::Object();
}

void EntryWriter::put(const Json& value) {
    if (const auto* const time = std::get_if<std::int64_t>(&value.value()))
        numbers(time, 1);
    else if (const auto* const count = std::get_if<std::uint64_t>(&value.value()))
        number(*count);
    else
        other(value);
}

Scale scale_of(const std::string& unit) {
    return unit == "us" ? Scale::us : unit == "ratio" ? Scale::ratio : Scale::one;
}

ObjectEntry::ObjectEntry(Json& object, const std::string& name, const std::string& unit)
    : object_(object), names_(expanded(std::string(without(without(name, "[]"), ".NAME")), 0)) {
    set(scale_of(unit));
}

// Up to 2^53 ps (2.5 simulated hours) to_us() is precise enough that the shortest decimal which
// reads back as the same double is the exact value.
void ObjectEntry::numbers(const std::int64_t* first, std::size_t count) {
    for (const std::int64_t* number = first; number != first + count; ++number) {
        if (scale_ == Scale::one)
            other(*number);
        else
            other(scale_ == Scale::us ? to_us(*number) : static_cast<double>(*number) / kMillion);
    }
}

std::string csv_header(const Columns& columns, unsigned nodes) {
    std::string line;
    for (const Column& column : columns)
        for (const std::string& name : expanded(column.name, nodes))
            line += (line.empty() ? "" : ",") + name;
    return line + "\n";
}

void CsvLine::grow(std::size_t bytes) {
    text_.resize(2 * (used_ + bytes + 1));
}

void CsvLine::end_field(char* end) {
    *end++ = ',';
    used_ = static_cast<std::size_t>(end - text_.data());
}

void CsvLine::numbers(const std::int64_t* first, std::size_t count) {
    const std::int64_t* const end = first + count;
    if (scale_ == Scale::one) {
        while (first != end) other(*first++);
        return;
    }
    char* at = room(count * (kNumberBytes + 1));
    if (scale_ == Scale::us)
        for (; first != end; ++first) *(at = put_us(at, *first))++ = ',';
    else
        for (; first != end; ++first) *(at = put_millionths(at, *first))++ = ',';
    used_ = static_cast<std::size_t>(at - text_.data());
}

void CsvLine::number(std::uint64_t number) {
    end_field(put_count(room(kNumberBytes), number));
}

void CsvLine::other(const Json& value) {
    const bool none = std::holds_alternative<std::nullptr_t>(value.value());
    const std::string field = none             ? std::string()
                              : value.string() ? csv_field(*value.string())
                                               : value.text();
    end_field(std::copy(field.begin(), field.end(), room(field.size())));
}

std::string_view CsvLine::take() {
    text_[used_ - 1] = '\n';
    return {text_.data(), std::exchange(used_, 0)};
}

}  // namespace symsim
