// SPDX-License-Identifier: MIT
#include "sim/base/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>
#include <utility>

#include "sim/base/failure.h"
#include "sim/base/host_calls.h"
#include "sim/base/text.h"

namespace symsim {

namespace {

int output_error = 0;  // errno of the first failure; 0: none
bool error_failed = false;
std::string read_ahead;  // of standard input

// EPIPE: the reader of a pipe, such as head, has read what it wanted. Nothing is wrong.
void note(bool written) {
    if (!written && errno != EPIPE && output_error == 0) output_error = errno;
}

// False: there is no more.
bool read_more() {
    std::array<char, 1 << 16> bytes;
    const ssize_t count =
        uninterrupted([&] { return ::read(STDIN_FILENO, bytes.data(), bytes.size()); });
    if (count < 0)
        throw UserError(fmt::format("standard input: cannot be read: {}; give a pipe or a file",
                                    std::generic_category().message(errno)));
    read_ahead.append(bytes.data(), static_cast<std::size_t>(count));
    return count > 0;
}

}  // namespace

void open_standard_streams() {
    std::signal(SIGPIPE, SIG_IGN);
    // open() gives the lowest free number. Writing to a stream opened like this fails.
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", O_RDONLY) != stream)
            impossible("standard stream {} is closed and /dev/null cannot take its place", stream);
}

std::optional<std::string> read_line() {
    std::size_t end = read_ahead.find('\n');
    for (std::size_t seen = 0; end == std::string::npos; end = read_ahead.find('\n', seen)) {
        seen = read_ahead.size();
        if (read_more()) continue;
        if (read_ahead.empty()) return std::nullopt;
        return std::exchange(read_ahead, {});  // the last line has no end
    }
    std::string line = read_ahead.substr(0, end);
    read_ahead.erase(0, end + 1);
    return line;
}

std::string read_all(std::size_t most) {
    try {
        while (read_ahead.size() < most && read_more()) {
        }
        if (read_ahead.size() >= most)
            print_error(fmt::format("symsim: standard input: only {} bytes are read\n", most));
    } catch (const UserError& error) {
        print_error(fmt::format("symsim: {}\n", error.what()));
    }
    return std::exchange(read_ahead, {}).substr(0, most);
}

void empty_standard_input() {
    read_ahead.clear();
    const int nothing = uninterrupted([] { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); });
    if (nothing < 0 || uninterrupted([&] { return ::dup2(nothing, STDIN_FILENO); }) != STDIN_FILENO)
        throw OutputError("/dev/null cannot be opened; end other programs");
    ::close(nothing);
}

void print_out(std::string_view text) {
    note(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

void print_error(std::string_view bytes) {
    const std::string text = utf8(bytes);
    flush_standard_output();  // in the order of printing, if both go to one place
    if (std::fwrite(text.data(), 1, text.size(), stderr) != text.size() && errno != EPIPE)
        error_failed = true;
}

void flush_standard_output() {
    note(std::fflush(stdout) == 0);
}

void close_standard_output() {
    flush_standard_output();
    // Some file systems report a full disk when a file is closed. EBADF: the stream was closed.
    note(::close(STDOUT_FILENO) == 0 || errno == EBADF);
    if (output_error == 0) return;
    throw OutputError(fmt::format("cannot write standard output: {}; redirect it to another place",
                                  std::generic_category().message(output_error)));
}

bool standard_error_failed() {
    return error_failed;
}

}  // namespace symsim
