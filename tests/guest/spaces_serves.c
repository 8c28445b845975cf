// SPDX-License-Identifier: MIT

// The run ends when the only space that is left says that it only serves others.

#include "kernel_threads.h"
#include "space.h"
#include "test.h"

int main(void) {
    if (space_self() == 0) return 0;
    while (space_info(0)->state != SPACE_ENDED) kernel_thread_yield();
    report("spaces_left", 1);
    space_serves();
    panic("the run continues");
}
