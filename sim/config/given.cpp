// SPDX-License-Identifier: MIT
#include "sim/config/given.h"

#include <fmt/format.h>

#include <boost/algorithm/string.hpp>

namespace symsim {

std::string place(const std::filesystem::path& file, const toml::source_region& source) {
    if (file.empty()) return "--set";
    return fmt::format("{}:{}:{}", file.string(), source.begin.line, source.begin.column);
}

std::string where(const Values& values, const std::string& name) {
    const auto found = values.by_name.find(name);
    if (found == values.by_name.end()) return "default";
    return place(found->second.file, found->second.value->source());
}

std::vector<std::string> keys_of_axis(const std::string& axis) {
    std::vector<std::string> keys;
    boost::split(keys, axis, boost::is_any_of(","));
    for (std::string& key : keys) boost::trim(key);
    return keys;
}

}  // namespace symsim
