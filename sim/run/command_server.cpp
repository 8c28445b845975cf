// SPDX-License-Identifier: MIT
#include "sim/run/command_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <iostream>
#include <nlohmann/json.hpp>

#include "sim/base/failure.h"
#include "sim/base/sha256.h"
#include "sim/base/standard_streams.h"

namespace symsim {

namespace {

using Json = nlohmann::json;

std::vector<std::string> parse_arguments(const std::string& line) {
    try {
        return Json::parse(line).get<std::vector<std::string>>();
    } catch (const Json::exception&) {
        throw UserError(fmt::format(
            "standard input: {}: --serve reads command lines as JSON arrays of strings, such as "
            "[\"configs/quickstart.toml\", \"--quiet\"]",
            line));
    }
}

// A file in memory for the output of a command line. The destructor closes it.
class MemoryFile {
  public:
    MemoryFile() : descriptor_(memfd_create("symsim", MFD_CLOEXEC)) {
        if (descriptor_ < 0) throw OutputError("the host gives no more files; end other programs");
    }
    ~MemoryFile() { ::close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    void take_place_of(int stream) const { ::dup2(descriptor_, stream); }

    std::string text() const {
        std::string text(static_cast<std::size_t>(::lseek(descriptor_, 0, SEEK_END)), '\0');
        const ssize_t size = ::pread(descriptor_, text.data(), text.size(), 0);
        if (size != static_cast<ssize_t>(text.size()))
            impossible("{} of {} bytes of a file in memory", size, text.size());
        return text;
    }

  private:
    int descriptor_;
};

// The signals that end a run in good order. While they are blocked, the server does not get them.
sigset_t interrupts() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
    return signals;
}

int open_nothing() {
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0) throw OutputError("/dev/null cannot be opened; end other programs");
    return nothing;
}

// Prepares the forked process for its command line. `nothing`: /dev/null, its standard input.
void prepare_child(pid_t server, int nothing, const MemoryFile& out, const MemoryFile& error) {
    // A run that nobody waits for could go on for hours.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != server) std::raise(SIGKILL);
    ::dup2(nothing, STDIN_FILENO);
    out.take_place_of(STDOUT_FILENO);
    error.take_place_of(STDERR_FILENO);
    const sigset_t signals = interrupts();
    sigprocmask(SIG_UNBLOCK, &signals, nullptr);
}

int exit_code_of(pid_t process) {
    int ended = 0;
    while (::waitpid(process, &ended, 0) != process)
        if (errno != EINTR) impossible("process {} is lost", process);
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : -WTERMSIG(ended);
}

}  // namespace

std::optional<std::vector<std::string>> serve_command_lines() {
    const sigset_t signals = interrupts();
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    const pid_t server = ::getpid();
    const int nothing = open_nothing();
    sha256({});  // OpenSSL initialises itself at the first use: here once for all forked processes
    for (std::string line; std::getline(std::cin, line);) {
        std::vector<std::string> arguments = parse_arguments(line);
        const MemoryFile out, error;
        const pid_t process = ::fork();
        if (process < 0) throw OutputError("the host gives no more processes; end other programs");
        if (process == 0) {
            prepare_child(server, nothing, out, error);
            return arguments;
        }
        const int exit_code = exit_code_of(process);
        const Json answer = {
            {"exit_code", exit_code}, {"stdout", out.text()}, {"stderr", error.text()}};
        print_out(answer.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
        flush_standard_output();
    }
    return std::nullopt;
}

}  // namespace symsim
