// SPDX-License-Identifier: MIT
// Runs the built simulator as a user does, and reads the files it writes.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace symsim::test {

struct Outcome {
    int exit = 0;
    std::string out;  // standard output
    std::string err;
};

// A temporary folder for one test: empty at first, removed by the destructor.
class ScratchFolder {
  public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path write(const std::string& name, const std::string& text) const;

  private:
    std::filesystem::path path_;
};

std::string read_text(const std::filesystem::path& path);

// Replaces this process, which must be a forked child, by the simulator with these arguments.
[[noreturn]] void become_symsim(const std::vector<std::string>& arguments);

// `input`: its standard input; without one it has that of this process.
Outcome run_symsim(const std::vector<std::string>& arguments,
                   const std::optional<std::string>& input = {});

// All files of a run by name, except host.json, which depends on the host.
std::map<std::string, std::string> result_files(const std::filesystem::path& folder);

}  // namespace symsim::test
