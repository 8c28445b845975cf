// SPDX-License-Identifier: MIT
#include "sim/image/image_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "sim/base/failure.h"

namespace symsim {

namespace fs = std::filesystem;

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

fs::path find_image(const std::string& name, const std::vector<fs::path>& folders) {
    if (name.empty())
        throw UserError("guest.image is not set; name the program this machine shall run");
    std::vector<std::string> tried;
    for (const fs::path& folder : folders) {
        for (const char* suffix : {"", ".elf"}) {
            const fs::path path = (folder / (name + suffix)).lexically_normal();
            std::error_code error;
            if (fs::is_regular_file(path, error)) return path;
            const std::string what =
                path.string() + (fs::exists(path, error) ? " (no regular file)" : "");
            if (std::find(tried.begin(), tried.end(), what) == tried.end()) tried.push_back(what);
        }
    }
    std::string text;
    for (const std::string& path : tried) text += "\n  " + path;
    throw UserError(
        fmt::format("guest.image = \"{0}\": there is no such file; correct the name, or build it: "
                    "make simulator GUESTS=guest-{0} for a program of guest/, symlab cc for one of "
                    "your own. Looked for{1}",
                    name, text));
}

}  // namespace symsim
