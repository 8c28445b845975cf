// SPDX-License-Identifier: MIT
#include "sim/image/given_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include "sim/base/failure.h"
#include "sim/base/input_file.h"
#include "sim/image/handoff.h"
#include "sim/image/linux_program.h"

namespace symsim {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // no guest has memory for more
constexpr std::size_t kMostPathBytes = 1023;                  // guest/linux/nodes.h

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw UserError(fmt::format("guest.files: {}: {}", path, why));
}

class Collection {
  public:
    void add(const std::string& inside, const fs::path& host) {
        std::error_code error;
        if (!fs::is_directory(host, error)) {
            put({inside, TYPE_REGULAR | (is_program(host) ? 0755u : 0644u), bytes_of(host)});
            return;
        }
        std::vector<std::string> names;
        for (const fs::directory_entry& entry : fs::directory_iterator(host, error))
            names.push_back(entry.path().filename().string());
        if (error) refuse(host.string(), error.message() + "; name a folder that you may read");
        std::sort(names.begin(), names.end());
        put({inside, TYPE_FOLDER | 0755u, {}});
        for (const std::string& name : names) add((fs::path(inside) / name).string(), host / name);
    }

    // Each file is in a folder.
    void check() const {
        for (const auto& [path, file] : files_) {
            const auto above = files_.find(fs::path(path).parent_path().string());
            if (above != files_.end() && above->second.mode >> 12 == TYPE_REGULAR >> 12)
                refuse(path, above->first + " is a file; give one of them another path");
        }
    }

    std::vector<GivenFile> take() {
        std::vector<GivenFile> all;
        for (auto& [path, file] : files_) all.push_back(std::move(file));
        return all;
    }

  private:
    static std::vector<std::uint8_t> bytes_of(const fs::path& host) {
        return InputFile(host, "guest.files", "name a file or a folder that you may read")
            .bytes(kMostBytes);
    }
    static bool is_program(const fs::path& host) {
        std::error_code error;
        return (fs::status(host, error).permissions() & fs::perms::owner_exec) != fs::perms::none;
    }
    void put(GivenFile&& file) {
        if (file.path.size() > kMostPathBytes)
            refuse(file.path, fmt::format("the path has more than {} bytes", kMostPathBytes));
        for (const fs::path& name : fs::path(file.path))
            if (name.string().size() >= NAME_BYTES)
                refuse(file.path, fmt::format("a name has more than {} bytes", NAME_BYTES - 1));
        const std::uint32_t mode = file.mode;
        const auto [at, is_new] = files_.try_emplace(file.path, std::move(file));
        if (!is_new && (mode != at->second.mode || mode >> 12 == TYPE_REGULAR >> 12))
            refuse(at->first, "two files have this path; give one of them another one");
    }

    std::map<std::string, GivenFile> files_;
};

}  // namespace

std::vector<GivenName> given_names(const std::string& words, const std::string& where) {
    std::vector<GivenName> names;
    for (const std::string& word : split_words(words, where)) {
        const std::size_t sign = word.find('=');
        const std::string inside = word.substr(0, sign);
        const std::string host = sign == std::string::npos ? word : word.substr(sign + 1);
        if (inside.empty() || host.empty())
            throw UserError(fmt::format(
                "{}: {} names no file; write the path inside, = and the path here", where, word));
        names.push_back({path_inside(inside), host});
    }
    return names;
}

std::string path_inside(const fs::path& path) {
    const std::string text = ("/" / path).lexically_normal().string();
    return text.size() > 1 && text.back() == '/' ? text.substr(0, text.size() - 1) : text;
}

std::vector<GivenFile> read_given_files(const std::string& words) {
    Collection collection;
    for (const GivenName& name : given_names(words, "guest.files"))
        collection.add(name.inside, name.host);
    collection.check();
    return collection.take();
}

}  // namespace symsim
