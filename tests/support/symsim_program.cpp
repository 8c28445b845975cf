// SPDX-License-Identifier: MIT
// Scratch folders, and the simulator as a child process.
#include "tests/support/symsim_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace symsim::test {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "symsim-test-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no scratch folder: " + pattern);
    path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

fs::path ScratchFolder::write(const std::string& name, const std::string& text) const {
    const fs::path file = path_ / name;
    std::ofstream(file, std::ios::binary) << text;
    return file;
}

std::string read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void become_symsim(const std::vector<std::string>& arguments) {
    const std::string program = std::string(BUILD_FOLDER) + "/symsim";
    std::vector<char*> argv = {const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    _exit(127);
}

Outcome run_symsim(const std::vector<std::string>& arguments,
                   const std::optional<std::string>& input) {
    const ScratchFolder scratch;
    const std::string out = (scratch.path() / "out").string();
    const std::string err = (scratch.path() / "err").string();
    const std::string in = scratch.write("in", input.value_or("")).string();
    const pid_t child = fork();
    if (child == 0) {
        if (input) dup2(open(in.c_str(), O_RDONLY), STDIN_FILENO);
        const int out_file = open(out.c_str(), O_CREAT | O_WRONLY, 0600);
        const int err_file = open(err.c_str(), O_CREAT | O_WRONLY, 0600);
        dup2(out_file, STDOUT_FILENO);
        dup2(err_file, STDERR_FILENO);
        become_symsim(arguments);
    }
    int status = 0;
    waitpid(child, &status, 0);
    Outcome outcome;
    outcome.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    outcome.out = read_text(out);
    outcome.err = read_text(err);
    return outcome;
}

std::map<std::string, std::string> result_files(const fs::path& folder) {
    std::map<std::string, std::string> files;
    if (!fs::exists(folder)) return files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().filename() != "host.json")
            files[entry.path().filename().string()] = read_text(entry.path());
    return files;
}

}  // namespace symsim::test
