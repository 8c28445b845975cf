// SPDX-License-Identifier: MIT
// Exit codes of the program, and what the help and docs/reference/options-and-keys.md say of each.
#pragma once

#include <array>
#include <csignal>
#include <string_view>

namespace symsim {

enum class Exit : int {
    ok = 0,
    guest_status = 1,
    user = 2,
    guest_failure = 3,
    deadlock = 4,
    time_limit = 5,
    output = 6,
    interrupted = 130,
    impossible = 134,  // as a shell reports SIGABRT
};

struct ExitCode {
    Exit code;
    std::string_view brief;  // for a screen of help
    std::string_view meaning;
    std::string_view files;  // the output files that exist afterwards
};
constexpr std::array<ExitCode, 9> kExitCodes = {{
    {Exit::ok, "success", "The guest ended with status 0.", "all"},
    {Exit::guest_status, "guest's status not 0", "The guest ended with another status.", "all"},
    {Exit::user, "wrong config, image or arguments",
     "A mistake in config, image or arguments; the message names it and the fix. With --strict "
     "also an argument that the guest never asked for.",
     "none; with --strict all"},
    {Exit::guest_failure, "guest crashed",
     "The guest crashed: bad opcode, access to nowhere, division by zero, ...",
     "all, up to that time"},
    {Exit::deadlock, "deadlock",
     "A deadlock: every processor is halted or loops forever. (A ROM that halts ends with 0.)",
     "all, up to that time"},
    {Exit::time_limit, "time limit", "run.limit_ms was reached.", "all, up to that time"},
    {Exit::output, "output not written",
     "An output could not be written: disk full, no permission.",
     "all that could be written, but no manifest"},
    {Exit::interrupted, "interrupted", "Interrupted, by Ctrl-C, SIGTERM or SIGHUP.",
     "all, up to that time"},
    {Exit::impossible, "error in symsim", "An error in symsim itself; please report it.",
     "perhaps some"},
}};
static_assert(static_cast<int>(Exit::impossible) == 128 + SIGABRT);

}  // namespace symsim
