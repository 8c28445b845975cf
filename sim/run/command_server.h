// SPDX-License-Identifier: MIT
// symsim --serve, the server: reads command lines from standard input and forks a process for each.
// So the host loads the libraries only once, and starts SystemC only once. A short run takes half
// the time (docs/dev/performance-history.md, "Short runs").
//
// Each line of standard input is a JSON array of strings, the arguments of a command line. When its
// process has ended, the server prints a line of JSON:
//     {"exit_code": 0, "stderr": "", "stdout": ""}
// If a signal killed the process, exit_code is minus the signal's number.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace symsim {

// Returns in each forked process with the arguments that it has to execute. Returns nothing in the
// server, when standard input has ended. SIGINT, SIGTERM and SIGHUP do not end the server, only the
// process that it has forked. Throws UserError for a line that is not such an array, OutputError if
// the host gives no process or file.
std::optional<std::vector<std::string>> serve_command_lines();

}  // namespace symsim
