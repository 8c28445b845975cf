// SPDX-License-Identifier: MIT
// Fuzzes load_config(): it must load any input or refuse it with a UserError. A config that is
// loaded, printed and loaded again must be the same.
//
// An input is the config, then optionally the file that its `base` may name (base.toml), then
// overrides as for --set. Lines "----" separate these parts.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/failure.h"
#include "sim/config/config.h"

namespace {

namespace fs = std::filesystem;
using namespace symsim;

// A temporary folder of this process, removed when the process ends.
class Folder {
  public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "symsim-fuzz-XXXXXX").string();
        if (!mkdtemp(name.data())) impossible("no folder {}", name);
        path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    fs::path write(const char* name, std::string_view text) const {
        const fs::path file = path_ / name;
        std::ofstream(file, std::ios::binary) << text;
        return file;
    }

  private:
    fs::path path_;
};

std::vector<std::string> parts_of(std::string_view input) {
    constexpr std::string_view kBetween = "\n----\n";
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t end = input.find(kBetween);
        parts.emplace_back(input.substr(0, end));
        if (end == std::string_view::npos) return parts;
        input.remove_prefix(end + kBetween.size());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Folder folder;
    std::vector<std::string> parts = parts_of({reinterpret_cast<const char*>(data), size});
    const fs::path file = folder.write("main.toml", parts[0]);
    folder.write("base.toml", parts.size() > 1 ? parts[1] : "");
    parts.erase(parts.begin(), parts.begin() + (parts.size() > 1 ? 2 : 1));
    std::string printed;
    try {
        const Config config = load_config(file, parts);
        printed = print_config(config);
        print_config(flat_results_config(config));
    } catch (const UserError&) {
        return 0;
    }
    std::string again;
    try {
        again = print_config(load_config(folder.write("printed.toml", printed), {}));
    } catch (const UserError& error) {
        impossible("what was loaded is refused when printed: {}\n{}", error.what(), printed);
    }
    if (again != printed) impossible("printed:\n{}\nloaded and printed:\n{}", printed, again);
    return 0;
}
