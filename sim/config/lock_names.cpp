// SPDX-License-Identifier: MIT
#include "sim/config/lock_names.h"

#include <map>
#include <sstream>

namespace symsim {

namespace {

// Alias to name. SYMSIM_LOCK_ALIASES: pairs of words, "tas xchgb ttas read".
const std::map<std::string, std::string>& aliases() {
    static const std::map<std::string, std::string> all = [] {
        std::map<std::string, std::string> names;
        std::istringstream words(SYMSIM_LOCK_ALIASES);
        for (std::string alias, name; words >> alias >> name;) names[alias] = name;
        return names;
    }();
    return all;
}

}  // namespace

std::string lock_name(const std::string& name) {
    const auto found = aliases().find(name);
    return found == aliases().end() ? name : found->second;
}

std::string image_of_lock(const std::string& image) {
    for (const auto& [alias, name] : aliases()) {
        const std::string ending = "-" + alias;
        if (image.size() <= ending.size()) continue;
        const std::size_t at = image.size() - ending.size();
        if (image.compare(at, ending.size(), ending) == 0) return image.substr(0, at) + "-" + name;
    }
    return image;
}

}  // namespace symsim
