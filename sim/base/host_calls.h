// SPDX-License-Identifier: MIT
// Calls of the host that a signal may end before they have done their work.
#pragma once

#include <sys/types.h>

#include <cerrno>

namespace symsim {

// Makes a call that returns -1 and errno again, until no signal interrupts it. Not for close():
// Linux has closed the file by then.
template <class Call>
auto uninterrupted(const Call& call) {
    for (;;) {
        const auto result = call();
        if (result != -1 || errno != EINTR) return result;
    }
}

// Forks a process that ends with this one: a run that nobody waits for could continue for hours.
// Returns 0 in it. Throws OutputError.
pid_t fork_process();
// Waits until a forked process ends. Returns its exit code, or minus the signal that killed it.
int exit_code_of(pid_t process);

}  // namespace symsim
