// SPDX-License-Identifier: MIT
#include "sim/run/command_server.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>

#include "sim/base/failure.h"
#include "sim/base/host_calls.h"
#include "sim/base/json.h"
#include "sim/base/sha256.h"
#include "sim/base/standard_streams.h"

namespace symsim {

namespace {

std::vector<std::string> parse_arguments(const std::string& line) {
    const std::optional<Json> json = parse_json(line);
    std::vector<std::string> arguments;
    if (json && json->array())
        for (const Json& argument : *json->array())
            if (const std::string* const text = argument.string()) arguments.push_back(*text);
    if (!json || !json->array() || arguments.size() != json->array()->size())
        throw UserError(fmt::format(
            "standard input: {}: --serve reads command lines as JSON arrays of strings, such as "
            "[\"configs/quickstart.toml\", \"--quiet\"]",
            line));
    return arguments;
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
        // One pread() of Linux reads at most 2 GiB.
        for (std::size_t done = 0; done < text.size();) {
            const ssize_t size = uninterrupted([&] {
                return ::pread(descriptor_, text.data() + done, text.size() - done,
                               static_cast<off_t>(done));
            });
            if (size <= 0) impossible("{} of {} bytes of a file in memory", done, text.size());
            done += static_cast<std::size_t>(size);
        }
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

// Prepares the forked process for its command line.
void prepare_child(const MemoryFile& out, const MemoryFile& error) {
    out.take_place_of(STDOUT_FILENO);
    error.take_place_of(STDERR_FILENO);
    empty_standard_input();
    const sigset_t signals = interrupts();
    sigprocmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace

std::optional<std::vector<std::string>> serve_command_lines() {
    const sigset_t signals = interrupts();
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    sha256({});  // OpenSSL initialises itself at the first use: here once for all forked processes
    while (const std::optional<std::string> line = read_line()) {
        std::vector<std::string> arguments = parse_arguments(*line);
        const MemoryFile out, error;
        const pid_t process = fork_process();
        if (process == 0) {
            prepare_child(out, error);
            return arguments;
        }
        const int exit_code = exit_code_of(process);
        const Json answer = Json::Object{
            {"exit_code", exit_code}, {"stderr", error.text()}, {"stdout", out.text()}};
        print_out(answer.text() + "\n");
        flush_standard_output();
    }
    return std::nullopt;
}

}  // namespace symsim
