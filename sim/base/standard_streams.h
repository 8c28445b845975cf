// SPDX-License-Identifier: MIT
// Standard input, output and error. Printing never throws, so that a run whose terminal or pipe
// is gone still saves its results. close_standard_output() says whether all was written.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace symsim {

// Called first. Ignores SIGPIPE, so that `symsim ... | head` does not kill a run. Opens /dev/null
// in place of each standard stream that the caller has closed. Otherwise a result file would get
// the number of the stream, and with it all that is printed.
void open_standard_streams();

// The next line of standard input, without its end. Empty: there is none. Throws UserError if
// standard input cannot be read.
std::optional<std::string> read_line();
// The rest of standard input, up to `most` bytes. What cannot be read is said on standard error.
std::string read_all(std::size_t most);
// For a forked process: from here on its standard input is empty. What its parent has read ahead,
// or has not read yet, stays the parent's. Throws OutputError.
void empty_standard_input();

void print_out(std::string_view text);
// What is not UTF-8 in the text is replaced: a message may have a guest's bytes.
void print_error(std::string_view bytes);
// Lets the reader of a pipe have all that has been printed.
void flush_standard_output();

// Called once, after all printing to standard output. Throws OutputError if a part of it could not
// be written. It is not an error if the reader of a pipe has closed it.
void close_standard_output();
// Whether a text for standard error was lost.
bool standard_error_failed();

}  // namespace symsim
