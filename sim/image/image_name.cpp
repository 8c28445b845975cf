// SPDX-License-Identifier: MIT
#include "sim/image/image_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include "sim/base/failure.h"
#include "sim/base/input_file.h"

namespace symsim {

namespace fs = std::filesystem;

namespace {
constexpr const char* kSuffix = ".elf";
}

std::string expand_image_name(const std::string& name, const GuestArguments& args) {
    std::string expanded;
    for (std::size_t at = 0; at < name.size();) {
        const std::size_t open = name.find_first_of("{}", at);
        expanded += name.substr(at, open - at);
        if (open == std::string::npos) break;
        const std::size_t close = name.find('}', open);
        if (name[open] == '}' || close == std::string::npos)
            throw UserError(
                fmt::format("guest.image = \"{}\": a brace without its partner; write "
                            "{{name}} for the value of guest.args.name",
                            name));
        const std::string arg = name.substr(open + 1, close - open - 1);
        const auto found = args.find(arg);
        if (found == args.end())
            throw UserError(
                fmt::format("guest.image = \"{0}\": {{{1}}} stands for guest.args.{1}, "
                            "which is not set; set it or write the name out",
                            name, arg));
        expanded += found->second;
        at = close + 1;
    }
    return expanded;
}

fs::path find_image(const std::string& name, const fs::path& build, const fs::path& here) {
    if (name.empty())
        throw UserError("guest.image is not set; name the program this machine shall run");
    const bool has_suffix = fs::path(name).extension() == kSuffix;
    const std::string stem = has_suffix ? fs::path(name).replace_extension().string() : name;
    std::vector<fs::path> places;
    for (const fs::path& folder : {here, build / "guest"})
        for (const char* suffix : {"", kSuffix}) {
            if (has_suffix && *suffix != 0) continue;
            fs::path path = (folder / (name + suffix)).lexically_normal();
            if (is_file(path)) return path;
            if (std::find(places.begin(), places.end(), path) == places.end())
                places.push_back(path);
        }
    std::string looked_for;
    for (const fs::path& path : places) {
        std::error_code error;
        looked_for +=
            "\n  " + path.string() + (fs::exists(path, error) ? " (no regular file)" : "");
    }
    const bool may_be_built = name.find('/') == std::string::npos && is_file(build / "build.ninja");
    throw UserError(fmt::format(
        "guest.image = \"{}\": there is no such file; {}correct the name, or build a program of "
        "your own with symlab cc. Looked for{}",
        name,
        may_be_built ? fmt::format("ninja -C {} guest-{} builds it if it is a program of guest/ in "
                                   "the source tree; else ",
                                   build.string(), stem)
                     : "",
        looked_for));
}

}  // namespace symsim
