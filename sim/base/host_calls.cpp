// SPDX-License-Identifier: MIT
#include "sim/base/host_calls.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "sim/base/failure.h"

namespace symsim {

pid_t fork_process() {
    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process < 0) throw OutputError("the host gives no more processes; end other programs");
    if (process > 0) return process;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) std::raise(SIGKILL);
    return process;
}

int exit_code_of(pid_t process) {
    int ended = 0;
    if (uninterrupted([&] { return ::waitpid(process, &ended, 0); }) != process)
        impossible("process {} is lost", process);
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : -WTERMSIG(ended);
}

}  // namespace symsim
