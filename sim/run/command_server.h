// SPDX-License-Identifier: MIT
// symsim --serve: executes many command lines, each in a process of its own, a copy of this one.
// None of them has to load libraries and start SystemC, which is a third of a short run's time.
//
// Standard input has a command line a line: its arguments as a JSON array of strings. When it has
// ended, standard output gets a line of JSON for it: {"exit_code": 0, "stdout": "", "stderr": ""}.
// A negative exit code is that of the signal that killed it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace symsim {

// Returns in each of those processes with its arguments, and without any when standard input has
// ended. Signals that would interrupt a run are left to it. Throws UserError for a line that is no
// command line, OutputError if the host gives no process or file.
std::optional<std::vector<std::string>> serve_command_lines();

}  // namespace symsim
