// SPDX-License-Identifier: MIT
#include "sim/image/image_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "sim/base/failure.h"

namespace symsim {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> places(const std::string& name, const std::vector<fs::path>& folders) {
    std::vector<fs::path> paths;
    for (const fs::path& folder : folders) {
        for (const char* suffix : {"", ".elf"}) {
            const fs::path path = (folder / (name + suffix)).lexically_normal();
            if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
        }
    }
    return paths;
}

}  // namespace

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

std::optional<fs::path> search_image(const std::string& name,
                                     const std::vector<fs::path>& folders) {
    for (const fs::path& path : places(name, folders)) {
        std::error_code error;
        if (fs::is_regular_file(path, error)) return path;
    }
    return std::nullopt;
}

fs::path find_image(const std::string& name, const std::vector<fs::path>& folders) {
    if (name.empty())
        throw UserError("guest.image is not set; name the program this machine shall run");
    if (const auto found = search_image(name, folders)) return *found;
    std::string text;
    for (const fs::path& path : places(name, folders)) {
        std::error_code error;
        text += "\n  " + path.string() + (fs::exists(path, error) ? " (no regular file)" : "");
    }
    throw UserError(
        fmt::format("guest.image = \"{}\": there is no such file, and no program of guest/ in the "
                    "source tree has that name; correct it, or build a program of your own with "
                    "symlab cc. Looked for{}",
                    name, text));
}

}  // namespace symsim
