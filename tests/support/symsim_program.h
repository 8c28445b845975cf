// SPDX-License-Identifier: MIT
// Runs the built simulator as a user does, and reads what it leaves.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace symsim::test {

struct Outcome {
    int exit = 0;
    std::string out;  // standard output
    std::string err;
};

// A folder of the test's own, empty at first, gone at the end.
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

// Makes this process, a forked child, the simulator with these arguments.
[[noreturn]] void become_symsim(const std::vector<std::string>& arguments);

Outcome run_symsim(const std::vector<std::string>& arguments);

// All files of a run but host.json, which is about the host.
std::map<std::string, std::string> result_files(const std::filesystem::path& folder);

}  // namespace symsim::test
