// SPDX-License-Identifier: MIT
#include "sim/observe/column.h"

#include "sim/base/types.h"
#include "sim/base/utf8.h"
#include "sim/interconnect/transaction_kind.h"
#include "sim/processor/activity.h"
#include "sim/processor/processor_state.h"

namespace symsim {
namespace {

// The names that `name` stands for: `word` replaced by each of `names`, or just `name` without it.
template <class Names>
std::vector<std::string> each(const std::string& name, const std::string& word,
                              const Names& names) {
    const std::size_t at = name.find(word);
    if (at == std::string::npos) return {name};
    std::vector<std::string> result;
    for (const auto instance : names)
        result.push_back(std::string(name).replace(at, word.size(), instance));
    return result;
}

}  // namespace

std::string csv_header(const Columns& columns) {
    std::string line;
    for (const Column& column : columns)
        for (const std::string& a : each(column.name, "ACTIVITY", kActivityNames))
            for (const std::string& k : each(a, "KIND", kTransactionKindNames))
                for (const std::string& name : each(k, "STATE", kProcessorStateNames))
                    line += (line.empty() ? "" : ",") + name;
    return line + "\n";
}

std::string csv_field(const std::string& bytes) {
    const std::string text = utf8(bytes);
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"') result += '"';
        result += c;
    }
    return result + "\"";
}

}  // namespace symsim
