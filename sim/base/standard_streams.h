// SPDX-License-Identifier: MIT
// Standard output and standard error. Printing never throws, so that a run whose terminal or pipe
// is gone still saves its results. close_standard_output() says whether all was written.
#pragma once

#include <string_view>

namespace symsim {

// Called first. Ignores SIGPIPE, so that `symsim ... | head` does not kill a run. Opens /dev/null
// in place of each standard stream that the caller has closed. Otherwise a result file would get
// the number of the stream, and with it all that is printed.
void open_standard_streams();

void print_out(std::string_view text);
void print_error(std::string_view text);
// Lets the reader of a pipe have all that has been printed.
void flush_standard_output();

// Called once, after all printing to standard output. Throws OutputError if a part of it could not
// be written. It is no error if the reader of a pipe has closed it.
void close_standard_output();
// Whether a text for standard error was lost.
bool standard_error_failed();

}  // namespace symsim
