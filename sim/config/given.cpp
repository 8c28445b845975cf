// SPDX-License-Identifier: MIT
#include "sim/config/given.h"

#include <fmt/format.h>

#include "sim/base/failure.h"

namespace symsim {

bool begins_with(const std::string& text, std::string_view prefix) {
    return text.compare(0, prefix.size(), prefix) == 0;
}

void refuse_name(const Given& given, const std::string& name, const std::string& why) {
    throw UserError(fmt::format("{}: {}: {}", place(given.file, given.name), name, why));
}

void refuse(const Given& given, const toml::node& value, const std::string& name,
            const std::string& why) {
    throw UserError(fmt::format("{}: {}: {}", place(given.file, value.source()), name, why));
}

std::string place(const std::filesystem::path& file, const toml::source_region& source) {
    if (file.empty()) return "--set";
    return fmt::format("{}:{}:{}", file.string(), source.begin.line, source.begin.column);
}

std::string where(const Values& values, const std::string& name) {
    const auto found = values.by_name.find(name);
    if (found == values.by_name.end()) return "default";
    return place(found->second.file, found->second.value->source());
}

}  // namespace symsim
