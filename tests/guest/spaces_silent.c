// SPDX-License-Identifier: MIT

// Lives, and has nothing to do with the others.

#include "space.h"
#include "threads.h"

int main(void) {
    static struct thread_semaphore never = THREAD_SEMAPHORE_INIT(0);
    space_serves();
    thread_semaphore_wait(&never);
    return 0;
}
