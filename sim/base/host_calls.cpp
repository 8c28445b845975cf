// SPDX-License-Identifier: MIT
#include "sim/base/host_calls.h"

#include <sys/wait.h>

#include "sim/base/failure.h"

namespace symsim {

int exit_code_of(pid_t process) {
    int ended = 0;
    if (uninterrupted([&] { return ::waitpid(process, &ended, 0); }) != process)
        impossible("process {} is lost", process);
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : -WTERMSIG(ended);
}

}  // namespace symsim
