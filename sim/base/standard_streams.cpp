// SPDX-License-Identifier: MIT
#include "sim/base/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "sim/base/failure.h"

namespace symsim {

namespace {

int output_error = 0;  // errno of the first failure; 0: none
bool error_failed = false;

// EPIPE: the reader of a pipe, such as head, has read what it wanted. Nothing is wrong.
void note(bool written) {
    if (!written && errno != EPIPE && output_error == 0) output_error = errno;
}

}  // namespace

void open_standard_streams() {
    std::signal(SIGPIPE, SIG_IGN);
    // open() gives the lowest free number. Writing to a stream opened like this fails.
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", O_RDONLY) != stream)
            impossible("standard stream {} is closed and /dev/null cannot take its place", stream);
}

void print_out(std::string_view text) {
    note(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

void print_error(std::string_view text) {
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
